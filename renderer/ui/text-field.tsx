import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * A text field. `onType` receives its text. `verbatim` is for addresses, names and ids, which the system must neither
 * correct nor complete.
 */
export function TextField({
  onType,
  verbatim = false,
  ...props
}: Omit<TextInputProps, 'onChange'> & {
  readonly onType: (text: string) => void
  readonly verbatim?: boolean
}): ReactNode {
  const untouched = { autoCapitalize: 'off', autoComplete: 'off', autoCorrect: 'off', spellCheck: false }
  return (
    <TextInput
      {...(verbatim ? untouched : {})}
      {...props}
      onChange={(event) => {
        onType(event.currentTarget.value)
      }}
    />
  )
}
