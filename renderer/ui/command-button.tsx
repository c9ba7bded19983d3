import { Button, type ButtonProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { CommandInput, CommandName, CommandOutput } from '../../contract/commands'
import { useCommand } from '../store/context'
import { ErrorNote } from './error-note'

/**
 * A button that runs a command, and shows its progress and its error. `done` is announced after it succeeded; `onDone`
 * receives the command's value.
 */
export function CommandButton<Name extends CommandName>({
  command: name,
  input,
  done,
  onDone,
  support = true,
  variant = 'default',
  ...props
}: Omit<ButtonProps, 'loading'> & {
  readonly command: Name
  readonly input: CommandInput<Name>
  readonly done?: string
  /** Takes something away. */
  readonly 'data-danger'?: true
  readonly onDone?: (value: CommandOutput<Name>) => void
  /** False if a button for the support report is already beside it. */
  readonly support?: boolean
  readonly children: ReactNode
}): ReactNode {
  const command = useCommand(name)
  const [isDone, setIsDone] = useState(false)

  async function run(): Promise<void> {
    setIsDone(false)
    const result = await command.run(input)
    if (!result.ok) return
    setIsDone(true)
    onDone?.(result.value)
  }

  return (
    <>
      <Button {...props} variant={variant} loading={command.pending} onClick={() => void run()} />
      {/* Not a paragraph: screen readers stop at an empty one. */}
      {done !== undefined && <div aria-live="polite">{isDone && done}</div>}
      {command.error && <ErrorNote error={command.error} support={support} />}
    </>
  )
}
