import type { z } from 'zod'
import type { controlCalls } from './control'
import type { ControlCall } from './control-calls'
import type { Summary } from './page'

type Types<Call> =
  Call extends ControlCall<infer Body, infer Query, infer Params, infer Answer>
    ? { body: z.input<Body>; query: z.input<Query>; params: z.input<Params>; answer: z.output<Answer> }
    : never

/** Input and answer of every control call. The package has it as an interface, written from the OpenAPI document. */
export type ControlApi = { [Route in keyof typeof controlCalls]: Types<(typeof controlCalls)[Route]> } & {
  'GET /': { body: undefined; query: undefined; params: undefined; answer: Summary }
}
