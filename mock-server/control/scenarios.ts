import { z } from 'zod'
import { attachmentsSwitches } from '../attachments/attachments-service'
import { attachmentSituations } from '../attachments/attachment-list'
import { contentVariants } from '../content/content-service'
import { discoverySituation } from '../discovery/discovery-service'
import { allWell, type MockState } from '../mock-state'
import { currentOrganizations, organizationSwitches } from '../organizations/organizations-service'
import { storageSwitches } from '../storage/object-storage'
import { tlsFaults } from '../tls/tls-listener'
import { topicSwitches } from '../topic/topic'
import { vpnSettings } from '../vpn/scenarios'
import { faultRuleSchema } from './faults'
import definitions from './scenarios.json'
import { choice, needing, setting, type Setting } from './setting'

const settings: Record<string, Setting> = {
  ...vpnSettings,
  faults: setting(z.array(faultRuleSchema), ({ faults }, rules) => {
    for (const rule of rules) faults.add(rule)
  }),
  clockSeconds: setting(z.int(), ({ clock }, seconds) => {
    clock.advance(seconds)
  }),
  tls: needing(
    ({ tls }) => {
      if (tls === undefined) throw new Error('Start the mock with --tls, and give a world a port of its own.')
    },
    setting(z.enum(tlsFaults), ({ tls }, fault) => {
      if (tls !== undefined) tls.fault = fault
    }),
  ),
  lists: setting(discoverySituation, ({ discovery }, change) => {
    discovery.change(change)
  }),
  attachmentList: choice(attachmentSituations, ({ attachments, clock }, show) => {
    show(attachments.list, clock.now().getTime())
  }),
  attachments: setting(attachmentsSwitches.change, ({ attachments }, change) => {
    attachments.switches.set(change)
  }),
  storage: setting(storageSwitches.change, ({ attachments }, change) => {
    attachments.storage.switches.set(change)
  }),
  uploads: setting(topicSwitches.change, ({ attachments }, change) => {
    attachments.storage.uploads.configure(change)
  }),
  content: setting(z.enum(contentVariants), ({ content }, variant) => {
    content.variant = variant
  }),
  organizations: setting(organizationSwitches.change, ({ organizations }, change) => {
    organizations.switches.set(change)
  }),
  currentOrganization: setting(z.enum(currentOrganizations), ({ organizations }, kind) => {
    organizations.replaceCurrent(kind)
  }),
}

type Part = keyof typeof definitions
export const scenarioParts = Object.keys(definitions) as Part[]

export interface Scenario {
  /** Unique name in lower-case words with hyphens, as in `POST /_mock/scenarios/expired-certificate`. */
  name: string
  part: Part
  sentence: string
  /** The things that it changes. Scenarios that change the same thing can't be combined. */
  changes: string[]
  /** Throws an Error if it needs something that the mock doesn't run. */
  checkIn(world: MockState): void
  /** Applies its settings to a world. */
  applyTo(world: MockState): void
}

const requestsOf = z.array(faultRuleSchema)

/** Returns the things that a setting changes: parts of the mock, or the answers to some requests. */
function changesOf(name: string, value: unknown): string[] {
  if (name === 'faults') return requestsOf.parse(value).map(({ match }) => `answers to ${match.path ?? '*'}`)
  if (name === 'portalFault') return ['answers of the portal']
  if (name === 'discoveryFault') return ['answers of the discovery document']
  const isTable = typeof value === 'object' && value !== null && name !== 'tunnelRefusal'
  return isTable ? Object.keys(value).map((field) => `${name}.${field}`) : [name]
}

export const scenarios: readonly Scenario[] = scenarioParts.flatMap((part) =>
  Object.entries<{ sentence: string }>(definitions[part]).map(([name, { sentence, ...values }]) => ({
    name,
    part,
    sentence,
    changes: [...new Set(Object.entries(values).flatMap(([setting, value]) => changesOf(setting, value)))],
    checkIn: (world) => {
      for (const setting of Object.keys(values)) settings[setting]?.check?.(world)
    },
    applyTo: (world) => {
      for (const [setting, value] of Object.entries<unknown>(values)) {
        const known = settings[setting]
        if (known === undefined) throw new Error(`The scenario ${name} has an unknown setting, ${setting}.`)
        known(world, value)
      }
    },
  })),
)

/** Returns why these scenarios can't be combined: two of them, and what both change. */
export function conflictOf(chosen: readonly Scenario[]): string | undefined {
  const by = new Map<string, string>()
  for (const { name, changes } of chosen) {
    if (name === allWell && chosen.length > 1) return `${allWell} ends all scenarios, and can't be combined.`
    for (const change of changes) {
      const other = by.get(change)
      if (other !== undefined) return `${other} and ${name} can't be combined: both change ${change}.`
      by.set(change, name)
    }
  }
  return undefined
}
