import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A drop-down list. `onChoose` receives one of the values of its options. */
export function Choice<Value extends string | number>({
  options,
  value,
  onChoose,
  ...props
}: Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> & {
  readonly options: readonly { readonly value: Value; readonly label: string; readonly disabled?: boolean }[]
  readonly value: Value
  readonly onChoose: (value: Value) => void
}): ReactNode {
  return (
    <NativeSelect
      {...props}
      data={options.map((option) => ({ ...option, value: String(option.value) }))}
      value={String(value)}
      onChange={(event) => {
        const chosen = options.find((option) => String(option.value) === event.currentTarget.value)
        if (chosen !== undefined) onChoose(chosen.value)
      }}
    />
  )
}
