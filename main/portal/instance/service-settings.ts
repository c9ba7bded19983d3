import {
  type ApiVersion,
  type InstanceSettingName,
  type ServiceRole,
  apiVersions,
  instanceArguments,
  serviceNames,
  serviceRoles,
} from '../../../contract/choices'
import type { VariantOf } from '../../../contract/error-details'
import type { InstanceChanges } from '../../../contract/instance-settings'
import { CausewayError } from '../../errors'
import { printable } from '../../../contract/safe-text'
import { readUrl, type UrlProblem } from '../../../contract/safe-url'
import { asPasted, hasMeantHost } from '../../platform/http/pasted-address'
import type { Instance } from './instance'

/** The fields of an instance that the user sets. */
export type InstanceSettings = Pick<Instance, 'name' | 'clientId' | 'apiVersion' | 'services' | 'identity'>

/**
 * Returns the settings of an instance after these changes. Throws `usage/invalid-argument`; `details.argument` is the
 * option of the terminal command. The value isn't in the error, because it could contain a password.
 */
export function changedSettings(before: InstanceSettings, changes: InstanceChanges): InstanceSettings {
  const name = changed(before.name, changes.name, parseName)
  const clientId = changed(before.clientId, changes.clientId, parseClientId)
  const apiVersion = changed(before.apiVersion, changes.api, parseApiVersion)
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
    userId,
    roles,
  }
  return {
    name,
    clientId,
    apiVersion,
    services: isEmpty(services) ? undefined : services,
    identity: isEmpty(identity) ? undefined : identity,
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
  return Object.values(object).every((value) => value === undefined)
}

/** One line of text that can be seen. Throws `usage/invalid-argument`. */
function parseName(text: string): string {
  const name = text.replaceAll(/\s+/gu, ' ')
  if (name.length <= 80 && printable(name, name.length) === name) return name
  throw invalid('name', 'service-name')
}

/** VSCHAR of RFC 6749, appendix A.1. Throws `usage/invalid-argument`. */
export function parseClientId(text: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(text)) return text
  throw invalid('clientId', 'client-id')
}

/** Throws `usage/invalid-argument`. */
export function parseApiVersion(text: string): ApiVersion {
  const version = apiVersions.find((each) => String(each) === text)
  if (version !== undefined) return version
  throw invalid('api', 'api-version')
}

const maxAddressLength = 2048

/**
 * Returns the base address of a service without final slashes. Throws `usage/invalid-argument` for anything but https, or
 * http on this computer.
 */
function parseServiceAddress(pasted: string, setting: InstanceSettingName): string {
  const text = asPasted(pasted)
  const fitting = text.length <= maxAddressLength && !/[\s\\]/.test(text)
  const url = fitting ? readUrl('typed', text) : 'malformed'
  if (!(url instanceof URL)) throw invalid(setting, addressProblems[url])
  if (!hasMeantHost(url, text)) throw invalid(setting, 'service-address')
  return url.href.replace(/\/+$/, '')
}

const addressProblems: Readonly<Record<UrlProblem, VariantOf<'usage/invalid-argument'>>> = {
  malformed: 'service-address',
  scheme: 'service-address',
  userinfo: 'service-address-credentials',
  query: 'service-address-query',
  fragment: 'service-address-query',
  insecure: 'service-address-insecure',
}

/** Printable ASCII without spaces, which is unambiguous in a header. */
function parseUserId(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text
  throw invalid('userId', 'user-id')
}

function parseRoles(text: string): ServiceRole[] {
  const named = text.split(',').map((role) => role.trim().toUpperCase())
  const roles = serviceRoles.filter((role) => named.includes(role))
  if (named.every((name) => roles.some((role) => role === name))) return roles
  throw invalid('roles', 'roles')
}

function invalid(setting: InstanceSettingName, variant: VariantOf<'usage/invalid-argument'>): CausewayError {
  return new CausewayError('usage/invalid-argument', {
    variant,
    details: { argument: instanceArguments[setting] },
  })
}
