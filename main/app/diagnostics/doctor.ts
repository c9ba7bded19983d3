import { release } from 'node:os'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { FindingCode } from '../../../contract/choices'
import type { FindingItem } from '../../../contract/doctor'
import { toErrorReport } from '../../errors'
import { isInPath } from '../../platform/child-process/is-program'
import { findHelper, installedHelper } from '../../privilege/find-helper'
import { ownWireGuard, wireGuardHere } from '../../privilege/wireguard-here'
import { canConfigureNetwork } from '../../privilege/network-rights'
import type { WindowsHelper } from '../../platform/child-process/windows-helper'
import { readServiceState } from '../../tunnel/openvpn/windows-service'
import type { FindPolicy } from '../policy'
import { helperFinding, installHelper } from './helper-finding'
import { policyFinding } from './policy-finding'
import { installCommand, openVpnFinding, serviceFinding } from './openvpn-findings'
import { mayStartHelper, sessionFinding } from './session'
import type { UpdateStatus } from '../../updates/updates'
import { type Proxy, proxyName, type UnusableProxy } from '../../platform/http/proxies'
import type { SecretStore } from '../../platform/secret-store/secret-store'

export interface DoctorOptions {
  readonly secretStore: SecretStore
  /** The path of OpenVPN; undefined to search for it. */
  readonly openVpnPath: string | undefined
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the helper, if not the default. */
  readonly helper?: string
  /** The folder to search for the helper's files, if not this program's own. */
  readonly helperSources?: string
  /** Windows only, for tests: replaces Causeway's helper. */
  readonly windowsHelper?: WindowsHelper
  /** Linux only, for tests: replaces the question whether the system starts the helper. */
  readonly mayStart?: typeof mayStartHelper
  /** Finds the computer's policy. */
  readonly findPolicy: FindPolicy
  /** Returns what is known about new versions. */
  readonly updates?: () => Promise<UpdateStatus>
  /** Returns the proxy for requests to the instances. */
  readonly proxy: () => Promise<Proxy | UnusableProxy | undefined>
  /** Returns a text to store in the key store. */
  readonly randomText: () => string
}

/** Checks everything that Causeway needs on this computer. Never throws: a failed check is a finding. */
export async function diagnose(options: DoctorOptions): Promise<FindingItem[]> {
  const policy = await policyFinding(options.findPolicy)
  const others = await Promise.all([
    openVpnFinding(options),
    rights(options),
    ...(options.platform === 'linux'
      ? [
          helperFinding(options),
          tunDevice(),
          wireGuard(options.helper),
          dns(options),
          killSwitch(options),
          session(options),
        ]
      : []),
    ...(options.platform === 'darwin' ? [helperFinding(options)] : []),
    ...(options.platform === 'win32' ? [serviceFinding(options)] : []),
    keyStore(options),
    proxyFinding(options),
    // It depends on the policy, which is reported once.
    ...(options.updates === undefined || policy?.status === 'missing' ? [] : [updates(options.updates)]),
  ])
  return [...(policy === undefined ? [] : [policy]), ...others]
}

async function rights({ platform, helper, windowsHelper }: DoctorOptions): Promise<FindingItem> {
  if (platform === 'win32' && (await readServiceState(windowsHelper))?.running === true) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-service',
    }
  }
  if ((await findHelper(helper)) !== undefined) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-helper',
    }
  }
  if (await canConfigureNetwork()) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-process',
    }
  }
  const missing = {
    name: 'rights',
    status: 'limited',
  } as const
  return platform === 'linux' || platform === 'darwin'
    ? {
        ...missing,
        code: 'rights-need-helper',
        command: installHelper,
      }
    : {
        ...missing,
        code: 'rights-need-service',
      }
}

async function session({ env, helper, mayStart = mayStartHelper }: DoctorOptions): Promise<FindingItem> {
  return sessionFinding({ env, helper: await findHelper(helper), mayStart })
}

async function killSwitch({ env }: DoctorOptions): Promise<FindingItem> {
  if (await isInPath('nft', env)) {
    return {
      name: 'kill-switch',
      status: 'ok',
      code: 'nft-found',
    }
  }
  const command = await installCommand('nftables', env)
  return {
    name: 'kill-switch',
    status: 'limited',
    code: 'nft-missing',
    command,
  }
}

async function wireGuard(helper = installedHelper): Promise<FindingItem> {
  const name = 'wireguard'
  switch (wireGuardHere({ helper })) {
    case 'kernel': {
      const version = `Linux ${release()}`
      return { name, status: 'ok', code: 'wireguard-kernel', facts: { version } }
    }
    case 'userspace': {
      const { execa } = await import('execa')
      const told = await execa(ownWireGuard(helper), ['version'], { reject: false, timeout: 5000 })
      // Of another processor, say, or not allowed to run here.
      if (told.failed) return { name, status: 'limited', code: 'wireguard-missing' }
      const version = /^causeway-wireguard (\S{1,80})$/m.exec(told.stdout)?.[1] ?? '?'
      const offloads = /^offloads ([A-Z ,]{1,80})$/m.exec(told.stdout)?.[1]
      return offloads === undefined
        ? { name, status: 'ok', code: 'wireguard-slow', facts: { version } }
        : { name, status: 'ok', code: 'wireguard-built-in', facts: { version, offloads } }
    }
    case 'none':
      return {
        name,
        status: 'limited',
        code: 'wireguard-missing',
      }
  }
}

async function tunDevice(): Promise<FindingItem> {
  const device = '/dev/net/tun'
  try {
    await access(device, constants.R_OK | constants.W_OK)
    return {
      name: 'tun-device',
      status: 'ok',
      code: 'tun-ready',
      facts: { path: device },
    }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return {
      name: 'tun-device',
      status: 'missing',
      code: absent ? 'tun-absent' : 'tun-denied',
      facts: { path: device },
      command: absent ? 'sudo modprobe tun' : `sudo chmod 0666 ${device}`,
    }
  }
}

async function keyStore({ secretStore, randomText }: DoctorOptions): Promise<FindingItem> {
  const account = 'doctor'
  try {
    const text = randomText()
    await secretStore.set(account, text)
    let read: string | undefined
    try {
      read = await secretStore.get(account)
    } finally {
      await secretStore.delete(account)
    }
    if (read === text) {
      return {
        name: 'key-store',
        status: 'ok',
        code: 'key-store-ready',
      }
    }
    return {
      name: 'key-store',
      status: 'missing',
      code: 'key-store-differs',
    }
  } catch (error) {
    const { code } = toErrorReport(error)
    return {
      name: 'key-store',
      status: 'missing',
      code: 'key-store-unusable',
      error: code,
    }
  }
}

async function proxyFinding({ proxy: find }: DoctorOptions): Promise<FindingItem> {
  const proxy = await find()
  if (proxy === undefined) {
    return { name: 'proxy', status: 'ok', code: 'proxy-none' }
  }
  if ('problem' in proxy) {
    return {
      name: 'proxy',
      status: 'missing',
      code: 'proxy-unusable',
      facts: { proxy: proxy.source },
    }
  }
  const facts = { proxy: proxyName(proxy) }
  return {
    name: 'proxy',
    status: 'ok',
    code: 'proxy-used',
    facts,
  }
}

async function dns({ env }: DoctorOptions): Promise<FindingItem> {
  for (const program of ['resolvectl', 'resolvconf']) {
    if (await isInPath(program, env)) {
      return {
        name: 'dns',
        status: 'ok',
        code: 'dns-ready',
        facts: { program },
      }
    }
  }
  return {
    name: 'dns',
    status: 'limited',
    code: 'dns-missing',
  }
}

async function updates(read: () => Promise<UpdateStatus>): Promise<FindingItem> {
  const refused = (error: unknown): FindingItem => {
    const { code } = toErrorReport(error)
    return {
      name: 'updates',
      status: 'limited',
      code: 'updates-refused',
      error: code,
    }
  }
  const fine = (code: FindingCode): FindingItem => ({
    name: 'updates',
    status: 'ok',
    code,
  })
  try {
    const { looks, available, checkedAt, problem } = await read()
    if (looks === 'not-configured') {
      return fine('updates-not-configured')
    }
    if (looks === 'off') return fine('updates-off')
    if (problem !== undefined) return refused(problem)
    if (available !== undefined) {
      const { version } = available
      return {
        name: 'updates',
        status: 'ok',
        code: 'updates-available',
        facts: { version },
      }
    }
    return checkedAt === undefined ? fine('updates-not-checked') : fine('updates-current')
  } catch (error) {
    return refused(error)
  }
}
