import { z } from 'zod'
import { attachmentSituations } from '../attachments/scenario-attachments'
import { contentVariants } from '../content/content-variant'
import { discoverySituation } from '../discovery/discovery-service'
import { currentOrganizations } from '../organizations/situation'
import { vpnScenarios, vpnSettings } from '../vpn/scenarios'
import type { MockState } from '../mock-state'
import { faultRuleSchema } from './faults'
import type { Scenario } from './scenario'
import definitions from './scenarios.json'

/** Origins of scenarios, in the order of the list. */
export const scenarioParts = [
  'general',
  'vpn',
  'discovery',
  'attachments',
  'content',
  'organizations',
] as const
type ScenarioPart = (typeof scenarioParts)[number]

const faultRules = z.array(faultRuleSchema)

/** Returns what each setting of a scenario in scenarios.json changes. Each parses its value. */
function settingsOf(mockState: MockState): Record<string, (value: unknown) => void> {
  const { attachments, content, discovery, organizations, faults } = mockState
  const { storage, switches } = attachments
  return {
    ...vpnSettings(mockState.vpn, mockState),
    faults: (value) => {
      for (const rule of faultRules.parse(value)) faults.add(rule)
    },
    lists: (value) => {
      discovery.situation = discoverySituation.parse(value)
    },
    attachmentList: (value) => {
      const kind = z.enum(['none', 'ten-thousand', 'hostile']).parse(value)
      attachmentSituations[kind](attachments.list, mockState.clock.now().getTime())
    },
    attachments: (value) => {
      switches.set(switches.change.parse(value))
    },
    storage: (value) => {
      storage.switches.set(storage.switches.change.parse(value))
    },
    uploads: (value) => {
      storage.uploads.configure(storage.uploads.switches.change.parse(value))
    },
    content: (value) => {
      content.variant = z.enum(contentVariants).parse(value)
    },
    organizations: (value) => {
      organizations.switches.set(organizations.switches.change.parse(value))
    },
    currentOrganization: (value) => {
      organizations.replaceCurrent(z.enum(currentOrganizations).parse(value))
    },
  }
}

/** Returns the scenarios of a part in scenarios.json: each has a sentence and the settings that it changes. */
function defined(part: keyof typeof definitions, mockState: MockState): Scenario[] {
  const settings = settingsOf(mockState)
  return Object.entries<{ sentence: string }>(definitions[part]).map(([name, { sentence, ...changes }]) => ({
    name,
    sentence,
    apply: () => {
      for (const [setting, value] of Object.entries(changes)) {
        const set = settings[setting]
        if (set === undefined) throw new Error(`The scenario ${name} has an unknown setting, ${setting}.`)
        set(value)
      }
    },
  }))
}

/** Returns all scenarios in the order of the list. */
export function scenariosOf(mockState: MockState): (Scenario & { part: ScenarioPart })[] {
  const byPart: Record<ScenarioPart, Scenario[]> = {
    general: defined('general', mockState),
    vpn: [...defined('vpn', mockState), ...vpnScenarios(mockState.vpn, mockState)],
    discovery: defined('discovery', mockState),
    attachments: defined('attachments', mockState),
    content: defined('content', mockState),
    organizations: defined('organizations', mockState),
  }
  return scenarioParts.flatMap((part) => byPart[part].map((scenario) => ({ ...scenario, part })))
}
