import { release } from 'node:os'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { FindingCode, FindingName, HelpPage } from '../../../contract/choices'
import type { ErrorCode } from '../../../contract/error-codes'
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

/** A finding about one requirement of Causeway. `detail` and `remedy` are English sentences for the terminal. */
export interface Finding {
  readonly name: FindingName
  /** `limited`: Causeway works with limits. */
  readonly status: 'ok' | 'limited' | 'missing'
  /** Selects the sentence in other languages; `facts` are its parameters. */
  readonly code: FindingCode
  readonly facts?: Readonly<Record<string, string>>
  /** The error of the check itself, with more detail. */
  readonly error?: ErrorCode
  /** A terminal command that fixes the problem, or one a line. */
  readonly command?: string
  /** A page that helps, which the window can open. */
  readonly page?: HelpPage
  readonly detail: string
  readonly remedy?: string
}

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
export async function diagnose(options: DoctorOptions): Promise<Finding[]> {
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

async function rights({ platform, helper, windowsHelper }: DoctorOptions): Promise<Finding> {
  if (platform === 'win32' && (await readServiceState(windowsHelper))?.running === true) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-service',
      detail: 'The OpenVPN service sets up the network device and routes.',
    }
  }
  if ((await findHelper(helper)) !== undefined) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-helper',
      detail: 'The helper sets up the network device and routes.',
    }
  }
  if (await canConfigureNetwork()) {
    return {
      name: 'rights',
      status: 'ok',
      code: 'rights-of-process',
      detail: 'Causeway has permission to set up the network device and routes itself.',
    }
  }
  const missing = {
    name: 'rights',
    status: 'limited',
    detail: "Causeway doesn't have permission to set up a network device, so only `connect --check` works.",
  } as const
  return platform === 'linux' || platform === 'darwin'
    ? {
        ...missing,
        code: 'rights-need-helper',
        command: installHelper,
        remedy: `Install the helper: ${installHelper}`,
      }
    : {
        ...missing,
        code: 'rights-need-service',
        remedy:
          "Install OpenVPN with its service, or start the service. Causeway doesn't need to run as an administrator.",
      }
}

async function session({ env, helper, mayStart = mayStartHelper }: DoctorOptions): Promise<Finding> {
  return sessionFinding({ env, helper: await findHelper(helper), mayStart })
}

async function killSwitch({ env }: DoctorOptions): Promise<Finding> {
  if (await isInPath('nft', env)) {
    return {
      name: 'kill-switch',
      status: 'ok',
      code: 'nft-found',
      detail: 'nftables, which the kill switch needs, is installed.',
    }
  }
  const command = await installCommand('nftables', env)
  return {
    name: 'kill-switch',
    status: 'limited',
    code: 'nft-missing',
    command,
    detail: "nftables isn't installed, so Causeway can't connect while the setting killSwitch is on.",
    remedy: command === undefined ? 'Install nftables.' : `Install nftables: ${command}`,
  }
}

async function wireGuard(helper = installedHelper): Promise<Finding> {
  const name = 'wireguard'
  switch (wireGuardHere({ helper })) {
    case 'kernel': {
      const version = `Linux ${release()}`
      const detail = `WireGuard comes with the kernel, ${version}.`
      return { name, status: 'ok', code: 'wireguard-kernel', facts: { version }, detail }
    }
    case 'userspace': {
      const { execa } = await import('execa')
      const told = await execa(ownWireGuard(helper), ['version'], { reject: false, timeout: 5000 })
      const version = /^causeway-wireguard (\S{1,80})$/m.exec(told.stdout)?.[1] ?? '?'
      const detail = `The kernel has no WireGuard, so Causeway uses its own: ${version}.`
      return { name, status: 'ok', code: 'wireguard-built-in', facts: { version }, detail }
    }
    case 'none':
      return {
        name,
        status: 'limited',
        code: 'wireguard-missing',
        detail: "WireGuard can't be used here. Profiles with another protocol still work.",
        remedy: 'Install Causeway from its package, or install its helper.',
      }
  }
}

async function tunDevice(): Promise<Finding> {
  const device = '/dev/net/tun'
  try {
    await access(device, constants.R_OK | constants.W_OK)
    return {
      name: 'tun-device',
      status: 'ok',
      code: 'tun-ready',
      facts: { path: device },
      detail: `${device} can be opened.`,
    }
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return {
      name: 'tun-device',
      status: 'missing',
      code: absent ? 'tun-absent' : 'tun-denied',
      facts: { path: device },
      command: absent ? 'sudo modprobe tun' : `sudo chmod 0666 ${device}`,
      detail: absent ? `${device} doesn't exist.` : `You don't have permission to open ${device}.`,
      remedy: absent
        ? 'Load the kernel module: modprobe tun'
        : `Change the mode of ${device} to 0666, as desktop systems do.`,
    }
  }
}

async function keyStore({ secretStore, randomText }: DoctorOptions): Promise<Finding> {
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
        detail: 'The key store works: Causeway wrote an entry and read it back.',
      }
    }
    return {
      name: 'key-store',
      status: 'missing',
      code: 'key-store-differs',
      detail: 'The key store returned something other than what Causeway wrote.',
      remedy: 'Unlock the key store, or sign out of this computer and back in.',
    }
  } catch (error) {
    const { code, message } = toErrorReport(error)
    return {
      name: 'key-store',
      status: 'missing',
      code: 'key-store-unusable',
      error: code,
      detail: message,
      remedy: "Unlock or start your desktop's key store, or use --secret-store file.",
    }
  }
}

async function proxyFinding({ proxy: find }: DoctorOptions): Promise<Finding> {
  const proxy = await find()
  if (proxy === undefined) {
    return { name: 'proxy', status: 'ok', code: 'proxy-none', detail: 'Causeway uses no proxy.' }
  }
  if ('problem' in proxy) {
    return {
      name: 'proxy',
      status: 'missing',
      code: 'proxy-unusable',
      facts: { proxy: proxy.source },
      detail: `Causeway can't use the proxy that is set up (${proxy.source}).`,
      remedy: 'Set up a proxy whose address starts with http:// or https://.',
    }
  }
  const facts = { proxy: proxyName(proxy) }
  return {
    name: 'proxy',
    status: 'ok',
    code: 'proxy-used',
    facts,
    detail: `Causeway reaches services through the proxy ${facts.proxy}.`,
  }
}

async function dns({ env }: DoctorOptions): Promise<Finding> {
  for (const program of ['resolvectl', 'resolvconf']) {
    if (await isInPath(program, env)) {
      return {
        name: 'dns',
        status: 'ok',
        code: 'dns-ready',
        facts: { program },
        detail: `Causeway can set DNS servers with ${program}.`,
      }
    }
  }
  return {
    name: 'dns',
    status: 'limited',
    code: 'dns-missing',
    detail: "Neither resolvectl nor resolvconf is installed, so Causeway can't set the VPN's DNS servers.",
    remedy: 'Install systemd-resolved or resolvconf.',
  }
}

async function updates(read: () => Promise<UpdateStatus>): Promise<Finding> {
  const refused = (error: unknown): Finding => {
    const { code, message } = toErrorReport(error)
    return {
      name: 'updates',
      status: 'limited',
      code: 'updates-refused',
      error: code,
      detail: message,
      remedy:
        "Causeway looks again tomorrow. If this doesn't go away, tell whoever provides Causeway to you.",
    }
  }
  const fine = (code: FindingCode, detail: string): Finding => ({
    name: 'updates',
    status: 'ok',
    code,
    detail,
  })
  try {
    const { looks, available, checkedAt, problem } = await read()
    if (looks === 'not-configured') {
      return fine('updates-not-configured', 'This copy of Causeway has no address to check for new versions.')
    }
    if (looks === 'off')
      return fine('updates-off', "Causeway doesn't look for new versions (setting updates).")
    if (problem !== undefined) return refused(problem)
    if (available !== undefined) {
      const { version, notes } = available
      return {
        name: 'updates',
        status: 'ok',
        code: 'updates-available',
        facts: { version },
        detail: `Version ${version} is available.`,
        remedy: `Install it${notes === undefined ? '.' : `: ${notes.href}`}`,
      }
    }
    return checkedAt === undefined
      ? fine('updates-not-checked', 'The window looks for new versions once a day. It has not done so yet.')
      : fine('updates-current', 'This is the newest version.')
  } catch (error) {
    return refused(error)
  }
}
