import { byId } from './dom'

const base = document.body.dataset.base ?? ''

/** Says in the live region what came of something. */
export function say(text: string, isBad = false): void {
  const region = byId('message', HTMLParagraphElement)
  region.textContent = text
  region.classList.toggle('bad', isBad)
}

function errorOf(answer: unknown): string | undefined {
  return typeof answer === 'object' && answer !== null && 'error' in answer ? String(answer.error) : undefined
}

/** A control call. Rejects with the reason in words when it is refused, or nobody answers. */
export async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`${base}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Error('The mock server does not answer. Is it still running?')
  }
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(errorOf(answer) ?? `The mock server answered ${response.status}.`)
  return answer
}

/** Does something with the mock, and says what came of it. */
export function doAndSay(work: Promise<unknown>, done: string): void {
  work.then(
    () => {
      say(done)
    },
    (error: unknown) => {
      say(error instanceof Error ? error.message : String(error), true)
    },
  )
}

/** What happens in the mock, as it happens. */
export function events(): EventSource {
  return new EventSource(`${base}/events`)
}
