import { z } from 'zod'
import { Refusal } from '../http/refusal'
import { call } from '../control/control-calls'
import { needsHooks, refusalKinds } from './tunnel/refusals'
import { tunnelActions, type Running } from './tunnel/tunnel'

const states = ['running', 'stopped', 'frozen'] as const satisfies readonly Running[]

export const refusalSchema = z
  .strictObject({
    kind: z
      .enum(refusalKinds)
      .describe('auth-failed: AUTH_FAILED, as if a hook failed; silence: no answer after the TLS handshake'),
    reason: z
      .string()
      .regex(/^[ -~]{1,200}$/)
      .optional()
      .describe('Sent to the client after AUTH_FAILED'),
    times: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('The number of connections to refuse; all if omitted'),
  })
  .refine(({ kind, reason }) => kind === 'auth-failed' || reason === undefined, {
    error: 'Silence has no reason.',
  })

export const tunnelCalls = {
  'POST /tunnel': call({
    summary: 'Stops, starts, freezes, thaws, restarts or moves the OpenVPN servers, or gives them another CA',
    description:
      'The servers keep their addresses, ports and certificates. The next scenario starts them again.',
    body: z.strictObject({
      action: z
        .enum([...tunnelActions, 'move', 'renew-authority'])
        .describe(
          'freeze: packets to the servers stay unanswered until thaw; restart: stop and start; move: to other ports; renew-authority: replace the CA, so that all existing certificates are unknown',
        ),
    }),
    answer: z.object({ running: z.enum(states) }).describe('The current state of the servers.'),
    refusals: { 409: 'OpenVPN is not running, or could not be started again; the error has the reason.' },
    run: async ({ body: { action }, world: { vpn } }) => {
      if (vpn.tunnel.status.mode === 'none') {
        throw new Refusal(409, 'OpenVPN is not running. Start the mock with --tunnel openvpn.')
      }
      if (action === 'move') await vpn.tunnel.move()
      else if (action === 'renew-authority') await vpn.renewAuthority()
      else await vpn.tunnel.act(action)
      const { running, failure } = vpn.tunnel.status
      if (failure !== undefined) {
        throw new Refusal(409, `The servers could not be started. ${failure}`)
      }
      return { running }
    },
  }),
  'POST /tunnel/refusals': call({
    summary: 'Makes the OpenVPN servers refuse everybody after the handshake',
    description:
      'check_certificate still reports certificates as valid, as with a broken back end of the servers. Replaces the previous refusal, until it is deleted or the next scenario.',
    body: refusalSchema,
    refusals: { 409: 'OpenVPN is not running, or runs for handshakes only, without hooks.' },
    run: ({ body, world: { vpn } }) => {
      if (vpn.tunnel.status.mode !== 'full') throw new Refusal(409, needsHooks)
      vpn.tunnel.refuseAll(body)
    },
  }),
  'DELETE /tunnel/refusals': call({
    summary: 'Makes the OpenVPN servers accept clients again',
    run: ({ world: { vpn } }) => {
      vpn.tunnel.refuseAll()
    },
  }),
}
