import {
  type InstanceSettingName,
  type ServiceRole,
  instanceArguments,
  serviceNames,
  serviceRoles,
} from '../../../contract/choices'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { CausewayError } from '../../errors'
import { isSecureUrl } from '../../platform/http/loopback'
import type { Instance } from './instance'

/** What of an instance the user sets. */
export type InstanceSettings = Pick<Instance, 'clientId' | 'services' | 'identity'>

/**
 * The settings of an instance after these changes. Throws `usage/invalid-argument`; `details.argument` names the option
 * of the terminal command, and what was typed is not in the error, as it could hold a password.
 */
export function changedSettings(before: InstanceSettings, changes: InstanceChanges): InstanceSettings {
  const clientId = changed(before.clientId, changes.clientId, parseClientId)
  const userId = changed(before.identity?.userId, changes.userId, parseUserId)
  const roles = changed(before.identity?.roles, changes.roles, parseRoles)
  const services = Object.fromEntries(
    serviceNames.flatMap((name) => {
      const address = changed(before.services?.[name], changes[name], (text) =>
        parseServiceAddress(text, name),
      )
      return address === undefined ? [] : [[name, address]]
    }),
  )
  const identity = {
    ...(userId === undefined ? {} : { userId }),
    ...(roles === undefined ? {} : { roles }),
  }
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(isEmpty(services) ? {} : { services }),
    ...(isEmpty(identity) ? {} : { identity }),
  }
}

function changed<T>(
  before: T | undefined,
  text: string | undefined,
  parse: (text: string) => T,
): T | undefined {
  if (text === undefined) return before
  const typed = text.trim()
  return typed === '' ? undefined : parse(typed)
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}

/** VSCHAR of RFC 6749, appendix A.1. Throws `usage/invalid-argument`. */
export function parseClientId(text: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(text)) return text
  throw invalid(
    'clientId',
    "This isn't a valid client ID. Use the one that the service has registered, such as org.example.app.",
  )
}

const maxAddressLength = 2048

/**
 * The base address of a service without its final slashes. Throws `usage/invalid-argument` for anything but https, or
 * http to this very machine.
 */
export function parseServiceAddress(text: string, setting: InstanceSettingName): string {
  const fitting =
    text.length <= maxAddressLength && !/[\s\p{Cc}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text)
  if (!fitting || !URL.canParse(text)) {
    throw invalid(
      setting,
      "This isn't a valid service address. Enter one such as https://vpn.example.org/v2.0.0.",
    )
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw invalid(setting, "A service address can't contain a user name or password. Leave them out.")
  }
  if (/[?#]/.test(text)) {
    throw invalid(
      setting,
      "A service address can't contain a query or a fragment. Leave out everything from the ? or # on.",
    )
  }
  if (!isSecureUrl(url)) {
    throw invalid(
      setting,
      'This address starts with http://, so others on the network could read your data. Use the address that starts with https://.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** What may stand in a header and leaves no doubt where it ends. */
function parseUserId(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text
  throw invalid(
    'userId',
    "This isn't a valid user ID. Use at most 255 letters, digits and punctuation marks, without spaces.",
  )
}

function parseRoles(text: string): ServiceRole[] {
  const named = text.split(',').map((role) => role.trim().toUpperCase())
  const roles = serviceRoles.filter((role) => named.includes(role))
  if (named.every((name) => roles.some((role) => role === name))) return roles
  throw invalid('roles', `These roles aren't valid. Use ${serviceRoles.join(', ')}, separated by commas.`)
}

function invalid(setting: InstanceSettingName, message: string): CausewayError {
  return new CausewayError('usage/invalid-argument', message, {
    details: { argument: instanceArguments[setting] },
  })
}
