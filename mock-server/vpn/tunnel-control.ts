import { z } from 'zod'
import { badInput, described, errorSchema, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { needsHooks, refusalKinds } from './tunnel/refusals'
import { tunnelActions, type Running } from './tunnel/tunnel'
import type { VpnService } from './vpn-service'

const body = z.strictObject({
  action: z
    .enum([...tunnelActions, 'move', 'renew-authority'])
    .describe(
      'freeze: packets to the servers stay unanswered until thaw; restart: stop and start; move: to other ports; renew-authority: replace the CA, so that all existing certificates are unknown',
    ),
})
const refusal = z
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
const noHooks = errorSchema('OpenVPN is not running, or runs for handshakes only, without hooks.')
const startIt = { error: 'OpenVPN is not running. Start the mock with --tunnel openvpn.' }
const states = ['running', 'stopped', 'frozen'] as const satisfies readonly Running[]
const done = z.object({ running: z.enum(states) }).describe('The current state of the servers.')

/** Adds `/_mock/tunnel` below `base`, which stops, starts and freezes the OpenVPN servers and makes them refuse clients. */
export function addTunnelControl(app: App, base: string, service: VpnService): void {
  app.post(
    `${base}/tunnel`,
    {
      schema: {
        ...described(
          'Stops, starts, freezes, thaws, restarts or moves the OpenVPN servers, or gives them another CA',
          'The servers keep their addresses, ports and certificates. The next scenario starts them again.',
        ),
        body,
        response: {
          200: done,
          ...badInput,
          409: errorSchema(
            'OpenVPN is not running, or could not be started again; the error has the reason.',
          ),
        },
      },
    },
    async (request, reply) => {
      const { action } = request.body
      if (service.tunnel.status.mode === 'none') return sendJson(reply, 409, startIt)
      if (action === 'move') await service.tunnel.move()
      else if (action === 'renew-authority') await service.renewAuthority()
      else await service.tunnel.act(action)
      const { status } = service.tunnel
      const { running, failure } = status
      return failure === undefined
        ? sendJson(reply, 200, { running })
        : sendJson(reply, 409, { error: `The servers could not be started. ${failure}` })
    },
  )
  app.post(
    `${base}/tunnel/refusals`,
    {
      schema: {
        ...described(
          'Makes the OpenVPN servers refuse everybody after the handshake',
          'check_certificate goes on to say that certificates are valid, as where the back end of the servers is broken. In place of the refusal before, until it is deleted or the next scenario.',
        ),
        body: refusal,
        response: { 200: okSchema, ...badInput, 409: noHooks },
      },
    },
    ({ body }, reply) => {
      if (service.tunnel.status.mode !== 'full') return sendJson(reply, 409, { error: needsHooks })
      service.tunnel.refuseAll(body)
      return sendOk(reply)
    },
  )
  app.delete(
    `${base}/tunnel/refusals`,
    {
      schema: { ...described('Makes the OpenVPN servers accept clients again'), response: { 200: okSchema } },
    },
    (_request, reply) => {
      service.tunnel.refuseAll()
      return sendOk(reply)
    },
  )
}
