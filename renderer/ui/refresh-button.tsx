import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import page from './page.module.css'

/** Button at the end of a view's first line that fetches its data again. */
export function RefreshButton({
  label,
  loading,
  onRefresh,
}: {
  readonly label: string
  readonly loading: boolean
  readonly onRefresh: () => void
}): ReactNode {
  return (
    <ActionIcon
      variant="subtle"
      size={36}
      className={page.refresh ?? ''}
      aria-label={label}
      title={label}
      loading={loading}
      onClick={onRefresh}
    >
      <IconRefresh size={20} aria-hidden />
    </ActionIcon>
  )
}
