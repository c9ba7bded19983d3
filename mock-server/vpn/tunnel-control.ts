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
      'freeze: packets to the servers wait unanswered until thaw; restart: stop and start; move: to other ports; renew-authority: to another CA, for which every certificate so far is unknown',
    ),
})
const refusal = z
  .strictObject({
    kind: z
      .enum(refusalKinds)
      .describe('auth-failed: as by a hook that fails; silence: no word after the TLS handshake'),
    reason: z
      .string()
      .regex(/^[ -~]{1,200}$/)
      .optional()
      .describe('Told to the client after AUTH_FAILED'),
    times: z.int().min(1).max(1000).optional().describe('The next so many connections; all unless given'),
  })
  .refine(({ kind, reason }) => kind === 'auth-failed' || reason === undefined, {
    error: 'Silence has no reason.',
  })
const noHooks = errorSchema('No OpenVPN runs, or for handshakes only, which has no hooks.')
const startIt = { error: 'No OpenVPN runs. Start the mock with --tunnel openvpn.' }
const states = ['running', 'stopped', 'frozen'] as const satisfies readonly Running[]
const done = z.object({ running: z.enum(states) }).describe('What the servers do now.')

/** `/_mock/tunnel`, below `base`: takes the OpenVPN servers away, gives them back, and lets them refuse clients. */
export function addTunnelControl(app: App, base: string, service: VpnService): void {
  app.post(
    `${base}/tunnel`,
    {
      schema: {
        ...described(
          'Stops, starts, freezes, thaws, restarts or moves the OpenVPN servers, or gives them another CA',
          'They keep addresses, ports and certificates, also new ones. The next scenario starts them again.',
        ),
        body,
        response: {
          200: done,
          ...badInput,
          409: errorSchema('No OpenVPN runs, or it could not be started again; the error says why.'),
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
