import { parseSync, Visitor } from 'vite'
import type { Mutant } from './mutant'

const boundaries: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/** A part of a source. */
interface Part {
  readonly start: number
  readonly end: number
}

/** Returns the mutants of a source: negated conditions, moved boundaries, swapped booleans and removed calls. */
export function typescriptMutants(path: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(' ')}`)
  const found: Mutant[] = []
  const types: Part[] = []
  const replace = (start: number, end: number, text: string): void => {
    found.push({ path, source, start, end, text })
  }
  const negate = ({ start, end }: Part): void => {
    replace(start, end, `!(${source.slice(start, end)})`)
  }
  const swap = (operator: string, start: number, end: number): void => {
    const other = boundaries[operator]
    const at = source.indexOf(operator, start)
    if (other !== undefined && at >= start && at < end) replace(at, at + operator.length, other)
  }
  new Visitor({
    TSLiteralType: (type) => {
      types.push(type)
    },
    IfStatement: ({ test }) => {
      negate(test)
    },
    ConditionalExpression: ({ test }) => {
      negate(test)
    },
    BinaryExpression: ({ operator, left, right }) => {
      swap(operator, left.end, right.start)
    },
    LogicalExpression: ({ operator, left, right }) => {
      swap(operator, left.end, right.start)
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') replace(start, end, String(!value))
    },
    ExpressionStatement: ({ expression, start, end }) => {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression
      if (call.type === 'CallExpression' && call.callee.type !== 'Super') replace(start, end, ';')
    },
  }).visit(program)
  return found.filter(({ start }) => !types.some((type) => type.start <= start && start < type.end))
}
