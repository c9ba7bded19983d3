import type { FaultRule } from './faults'
import { allWell, type Scenario, type ScenarioTools } from './scenario'

const text = { 'content-type': 'text/plain; charset=utf-8' }

/** The situations that concern everything alike, as a bad network does; the control calls go on as always. */
export function generalScenarios({ faults }: ScenarioTools): Scenario[] {
  const faulty = (name: string, sentence: string, rule: Omit<FaultRule, 'match'>): Scenario => ({
    name,
    sentence,
    apply: () => {
      faults.add({ match: {}, ...rule })
    },
  })
  return [
    {
      name: allWell,
      sentence: 'Everything works as it should again; what clients did is still there.',
      apply: () => {
        // Whatever was wrong was taken back before.
      },
    },
    faulty('flaky-network', 'Every third request ends with its connection reset.', {
      every: 3,
      fault: { reset: true },
    }),
    faulty('slow-network', 'Every answer comes a second late.', { fault: { delayMs: 1000 } }),
    faulty('slow-bodies', 'Every answer begins at once and takes five seconds to arrive.', {
      fault: { slowBodyMs: 5000 },
    }),
    faulty('offline', 'Every connection is reset.', { fault: { reset: true } }),
    faulty('server-errors', 'Every answer is a 500 that is not JSON.', {
      fault: { status: 500, headers: text, body: 'Internal Server Error\n' },
    }),
    faulty('busy', 'Every answer is a 429 that asks to come back in two seconds.', {
      fault: { status: 429, headers: { ...text, 'retry-after': '2' }, body: 'Too Many Requests\n' },
    }),
    faulty('truncated-answers', 'Every answer breaks off half-way.', { fault: { truncate: true } }),
    faulty('malformed-answers', 'Every answer is complete and lacks the second half of its JSON.', {
      fault: { malformed: true },
    }),
  ]
}
