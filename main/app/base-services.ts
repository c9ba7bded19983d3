import { type ProxyFor, proxyFromVariables } from '../platform/http/proxies'
import type { Log } from '../platform/log/log'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { type SettingsStore, createSettingsStore } from '../platform/settings/settings-store'
import type { RegisterForget, StoredOptions } from '../platform/storage/json-file'
import { ForgetRegistry } from '../portal/instance/forget-registry'
import type { Reporter } from '../reporter'
import { createSecretStore } from './configured-secret-store'
import { type OpenLog, openLog } from './diagnostics/open-log'
import { type HttpServices, createHttpServices } from './http-services'
import { type FindPolicy, createPolicyFinder, policyReader } from './policy'
import type { ServicesOptions } from './services-options'

/** The services that all others build on: the log, requests, what is stored, and the policy. */
export interface BaseServices extends HttpServices {
  readonly openLog: OpenLog
  readonly reporter: Reporter
  readonly now: () => Date
  readonly proxyFor: ProxyFor
  /** Everything of an instance, forgotten when it is removed. */
  readonly forgets: ForgetRegistry
  /** What belongs to the person of a login, which another person's login ends. */
  readonly personForgets: ForgetRegistry
  /** Parameters for files in the data directory. */
  readonly stored: StoredOptions & { readonly registerForget: RegisterForget }
  readonly findPolicy: FindPolicy
  readonly policy: ReturnType<typeof policyReader>
  readonly settings: SettingsStore
  /** Returns the path of OpenVPN, if one is set. */
  readonly openVpnPath: () => Promise<string | undefined>
  readonly secretStore: SecretStore
}

export function createBaseServices(options: ServicesOptions): BaseServices {
  const { dataDir, startAtLogin } = options
  const now = options.now ?? (() => new Date())
  const opened = openLog({ dataDir, now })
  const reporter = createReporter(opened.log, options.onNotice)
  const proxyFor = options.proxyFor ?? ((url: URL) => Promise.resolve(proxyFromVariables(process.env, url)))
  const forgets = new ForgetRegistry()
  const stored = {
    dataDirectory: dataDir,
    now,
    reporter,
    registerForget: (forget: (instanceId: string) => Promise<void>) => {
      forgets.add('data', ({ id }) => forget(id))
    },
  }
  const findPolicy = options.findPolicy ?? createPolicyFinder()
  const policy = policyReader(findPolicy)
  const settings = createSettingsStore({ ...stored, policy, startAtLogin })
  return {
    ...createHttpServices({ proxyFor, log: opened.log, reporter }),
    openLog: opened,
    reporter,
    now,
    proxyFor,
    forgets,
    personForgets: new ForgetRegistry(),
    stored,
    findPolicy,
    policy,
    settings,
    openVpnPath: async () =>
      (await settings.all({ openvpnPath: options.openVpnPath })).openvpnPath || undefined,
    secretStore: createSecretStore({
      store: options.secretStore,
      dataDir,
      signal: options.signal,
      now,
      reporter,
    }),
  }
}

function createReporter(log: Log, onNotice: ServicesOptions['onNotice']): Reporter {
  return {
    notice: (notice) => {
      log.write('warning', 'app', 'notice', notice)
      onNotice(notice)
    },
    failure: (event, error) => {
      log.write('warning', 'app', event, { error })
    },
    defect: (error) => {
      log.write('error', 'app', 'defect', { error })
    },
  }
}
