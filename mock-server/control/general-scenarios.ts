import type { FaultRule } from './faults'
import { allWell, type Scenario, type ScenarioTools } from './scenario'

const text = { 'content-type': 'text/plain; charset=utf-8' }

/** Returns the scenarios that affect everything, like a bad network. Control calls keep working. */
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
      sentence: 'Everything works again; what clients did is kept.',
      apply: () => {
        // Applying any scenario first undoes the previous one.
      },
    },
    faulty('flaky-network', 'The connection of every third request is reset.', {
      every: 3,
      fault: { reset: true },
    }),
    faulty('slow-network', 'Every answer is delayed by one second.', { fault: { delayMs: 1000 } }),
    faulty('slow-bodies', 'Every answer begins at once and takes five seconds to arrive.', {
      fault: { slowBodyMs: 5000 },
    }),
    faulty('offline', 'Every connection is reset.', { fault: { reset: true } }),
    faulty('server-errors', 'Every answer is a 500 that is not JSON.', {
      fault: { status: 500, headers: text, body: 'Internal Server Error\n' },
    }),
    faulty('busy', 'Every answer is a 429 with Retry-After: 2.', {
      fault: { status: 429, headers: { ...text, 'retry-after': '2' }, body: 'Too Many Requests\n' },
    }),
    faulty('truncated-answers', 'Every answer breaks off halfway.', { fault: { truncate: true } }),
    faulty('malformed-answers', 'Every answer arrives in full, but its JSON lacks the second half.', {
      fault: { malformed: true },
    }),
  ]
}
