import { Ajv2020 } from 'ajv/dist/2020'
import type { Operation, FuzzRequest } from './requests.testing'
import type { Answer } from './send.testing'
import type { JsonSchema } from './values.testing'

const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
const validators = new Map<JsonSchema, ReturnType<typeof ajv.compile>>()

function misfit(schema: JsonSchema, value: unknown): string | undefined {
  const known = validators.get(schema)
  const validate = known ?? ajv.compile(schema)
  if (known === undefined) validators.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** Content types that stand for files of any type. */
const anyType = ['*/*', 'application/octet-stream']

type Contents = NonNullable<Operation['responses'][string]['content']>

function parsed(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString()) }
  } catch {
    return undefined
  }
}

function misfitOf(content: Contents, answer: Answer): string | undefined {
  const bare = (name: string) => name.split(';', 1)[0] ?? ''
  const type = bare(answer.contentType)
  const described = Object.entries(content).find(([name]) => [type, ...anyType].includes(bare(name)))?.[1]
  if (described === undefined) return `its content type ${type || '(none)'} is not in the document`
  if (type !== 'application/json' || described.schema === undefined) return undefined
  const json = parsed(answer.body)
  if (json === undefined) return 'its body is not JSON'
  return misfit(described.schema, json.value)
}

/** Returns the error contents of an interface, as its operations describe them. */
export function errorContents(operations: Operation[]): Contents[] {
  return operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      status.startsWith('4') && content !== undefined ? [content] : [],
    ),
  )
}

/** Returns how an answer violates the document, or undefined. `errors` are the error contents of its interface. */
export function violation(
  operation: Operation,
  errors: Contents[],
  sent: FuzzRequest,
  answer: Answer,
): string | undefined {
  if (answer.status >= 500) return 'it is a server error'
  if (sent.method === 'HEAD' || (sent.mayStray && answer.status < 400)) return undefined
  const response = operation.responses[String(answer.status)]
  if (sent.mayStray && response?.content === undefined) {
    const isUsual = errors.some((content) => misfitOf(content, answer) === undefined)
    return isUsual ? undefined : 'it does not look like an error of its interface'
  }
  if (response === undefined) return `its status ${answer.status} is not in the document`
  if (response.content !== undefined) return misfitOf(response.content, answer)
  return answer.body.length === 0 ? undefined : 'it has a body where the document has none'
}
