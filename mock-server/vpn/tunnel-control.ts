import { z } from 'zod'
import { badInput, described, errorSchema } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { tunnelActions, type Running } from './tunnel/tunnel'
import type { VpnService } from './vpn-service'

const body = z.strictObject({
  action: z
    .enum(tunnelActions)
    .describe('freeze: packets to the servers wait unanswered until thaw; restart: stop and start'),
})
const states = ['running', 'stopped', 'frozen'] as const satisfies readonly Running[]
const done = z.object({ running: z.enum(states) }).describe('What the servers do now.')

/** `POST /_mock/tunnel`, below `base`: takes the OpenVPN servers away and gives them back. */
export function addTunnelControl(app: App, base: string, service: VpnService): void {
  app.post(
    `${base}/tunnel`,
    {
      schema: {
        ...described(
          'Stops, starts, freezes, thaws or restarts the OpenVPN servers',
          'They keep addresses, ports and certificates. The next scenario starts them again.',
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
      await service.tunnel.act(request.body.action)
      const { status } = service.tunnel
      if (status.mode === 'none') {
        return sendJson(reply, 409, { error: 'No OpenVPN runs. Start the mock with --tunnel openvpn.' })
      }
      const { running, failure } = status
      return failure === undefined
        ? sendJson(reply, 200, { running })
        : sendJson(reply, 409, { error: `The servers could not be started. ${failure}` })
    },
  )
}
