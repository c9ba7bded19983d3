import { text } from 'node:stream/consumers'
import type { ErrorReport } from '../../../contract/error-codes'
import { toErrorReport } from '../../errors'
import { createOsSecretStore } from './os-secret-store'

/** A step of the program that uses a real key store; `stop` and `continue` pause the keyring. */
export type Step =
  | { readonly do: 'get'; readonly account: string; readonly limitMs?: number }
  | { readonly do: 'delete'; readonly account: string }
  | { readonly do: 'set'; readonly account: string; readonly secret: string }
  | { readonly do: 'stop' | 'continue' }

export interface Outcome {
  readonly secret?: string
  readonly error?: ErrorReport
}

const steps = JSON.parse(await text(process.stdin)) as Step[]
const outcomes: Outcome[] = []
for (const step of steps)
  outcomes.push(await take(step).catch((error: unknown) => ({ error: toErrorReport(error) })))
process.stdout.write(JSON.stringify(outcomes))

async function take(step: Step): Promise<Outcome> {
  switch (step.do) {
    case 'get': {
      const secret = await storeWith(step.limitMs).get(step.account)
      return { secret }
    }
    case 'set':
      await storeWith().set(step.account, step.secret)
      return {}
    case 'delete':
      await storeWith().delete(step.account)
      return {}
    case 'stop':
      process.kill(keyringPid(), 'SIGSTOP')
      return {}
    case 'continue':
      process.kill(keyringPid(), 'SIGCONT')
      return {}
  }
}

function storeWith(limitMs = 10_000) {
  return createOsSecretStore({ service: 'causeway-test', limitMs })
}

function keyringPid(): number {
  const pid = Number(process.env.KEYRING_PID)
  if (!(pid > 1)) throw new Error('The process id of the keyring is not known.')
  return pid
}
