import { isIP } from 'node:net'
import { CausewayError } from '../../errors'
import { knownWords } from './known-words'

/** The fields that the log has; any other is left out. Their texts consist of known words, except those of `shapes`. */
const names: ReadonlySet<string> = new Set(
  (
    'allIpv4 allTraffic allowed applied argument at attempt by call cause causes causeway cipher code command count details ' +
    'device directive dns electron endsAt error event exitCode field fields handshakeAt host instance instanceId kind ' +
    'level line localTime maxBytes method ms node notAfter notBefore notYetConnected now parameter part passing path ' +
    'phase pid port problem profileId program protocol proxy reason remote retryAfterSeconds routes routesUnknown ' +
    'seconds serverTime signal since startedAt state status step system takesOver target time tlsCode tried url variant ' +
    'version versions waitingForNetwork wanted'
  ).split(' '),
)

/** Fields whose texts have a form of their own. */
const shapes: Readonly<Record<string, (text: string) => string>> = {
  url: place,
  host: place,
  instance: place,
  instanceId: place,
  proxy: place,
  // The name of a class in code.
  kind: (text) => (/^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/.test(text) ? text : knownWords(text)),
  at: frame,
}

const maxDepth = 8
const maxEntries = 20
const maxText = 4096

/** Returns a copy of fields for the log, or of a whole entry of it, which JSON can represent. Never throws. */
export function logFields(value: object, depth = 0): Readonly<Record<string, unknown>> {
  const shown = (name: string, each: unknown, depth: number): unknown => {
    switch (typeof each) {
      case 'string':
        return (shapes[name] ?? knownWords)(each.slice(0, maxText))
      case 'number':
        return Number.isFinite(each) ? each : undefined
      case 'boolean':
        return each
      case 'object':
        if (each === null || depth > maxDepth) return undefined
        if (!Array.isArray(each)) return logFields(each, depth + 1)
        return each.slice(0, maxEntries).map((entry: unknown) => shown(name, entry, depth + 1))
      case 'bigint':
      case 'function':
      case 'symbol':
      case 'undefined':
        return undefined
    }
  }
  try {
    const fields = Object.entries(value instanceof Error ? errorFields(value) : value)
    return Object.fromEntries(
      fields.filter(([name]) => names.has(name)).map(([name, each]) => [name, shown(name, each, depth)]),
    )
  } catch {
    return { kind: 'unreadable' }
  }
}

/**
 * Returns the code and details of a CausewayError, the kind and the system's code (`ECONNREFUSED`) of any other error, and the
 * same for each cause. Their messages could contain anything.
 */
function errorFields(error: Error): object {
  const causes: object[] = []
  let cause = error.cause
  while (cause instanceof Error && causes.length < maxDepth) {
    causes.push(oneError(cause))
    cause = cause.cause
  }
  return { ...oneError(error), causes: causes.length === 0 ? undefined : causes }
}

function oneError(error: Error): object {
  if (error instanceof CausewayError) {
    const { code, variant, details } = error
    return { code, variant, details }
  }
  const { name, message, stack = '' } = error
  // A line of the message may look like a frame.
  const frames = stack.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length).split('\n')
    : []
  const system = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { kind: name, system, at: frames.filter((line) => /^\s+at /.test(line)).slice(0, 5) }
}

/** Returns host and path of an address; host names stay, which support needs, but not addresses of computers. */
function place(text: string): string {
  const [, host = '', path = ''] = /^(?:[a-z]+:\/\/)?([^/?#]*)([^?#]*)/.exec(text) ?? []
  return `${hostName(host)}${knownWords(path)}`
}

function hostName(host: string): string {
  const [, name = '', port = ''] = /^(.*?)((?::\d{1,5})?)$/.exec(host) ?? []
  if (/^127(?:\.\d{1,3}){3}$/.test(name) || name === '[::1]') return host
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return `…${port}`
  // A longer mixture of letters and digits could be a key.
  const isName =
    /^(?:[a-z\d-]{1,40}\.)+[a-z\d-]{0,40}[a-z]$|^localhost$/.test(name) &&
    !/(?=[a-z]*\d)[a-z\d]{16}/.test(name)
  return isName ? host : '…'
}

function frame(text: string): string {
  const [, name = '', file = ''] =
    /^\s*at (?:async )?((?:[\w$.#<>]{1,80} )?)\(?(?:.*[/\\])?([\w.-]{1,60}:\d{1,7}:\d{1,7})\)?$/.exec(text) ??
    []
  return file === '' ? '…' : `at ${name}${file}`
}
