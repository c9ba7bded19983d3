import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { MockState } from '../mock-state'
import { badInput, described, errorSchema } from './replies'

const farthestSeconds = 1e9

const clockChange = z.union(
  [
    z.strictObject({ advanceSeconds: z.number().min(-farthestSeconds).max(farthestSeconds) }),
    z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  ],
  { error: 'must be {"advanceSeconds": n} with n from -1e9 to 1e9, or {"now": "2026-11-20T12:00:00Z"}' },
)

const earliest = Date.parse('1970-01-01T00:00:00Z')
const latest = Date.parse('9000-01-01T00:00:00Z')

/** Adds `POST /_mock/clock`, which moves the mock's time. Tokens, codes, certificates and pre-signed URLs follow it. */
export function addClockControl(app: App, base: string, mockState: MockState): void {
  app.post(
    `${base}/clock`,
    {
      schema: {
        ...described(
          'Moves the clock',
          'Tokens, codes, certificates and pre-signed URLs expire by this clock.',
        ),
        body: clockChange,
        response: {
          200: z.object({ now: z.string() }).describe('The new time.'),
          ...badInput,
          409: errorSchema('The clock would leave the years 1970 to 8999.'),
        },
      },
    },
    ({ body }, reply) => {
      const now =
        'now' in body ? Date.parse(body.now) : mockState.clock.now().getTime() + body.advanceSeconds * 1000
      if (now < earliest || now >= latest) {
        return sendJson(reply, 409, {
          error: 'The clock goes from 1970 to 8999 only. Choose a time between.',
        })
      }
      mockState.moveClock(body)
      return sendJson(reply, 200, { now: mockState.clock.now().toISOString() })
    },
  )
}
