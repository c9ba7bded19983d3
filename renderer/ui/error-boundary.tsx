import { Box, Button, Group } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnderWay } from '../../contract/connection-summary'
import type { ErrorCode } from '../../contract/error-codes'
import { useAppState } from '../store/context'
import { CommandButton } from './command-button'
import { SupportReport } from './support-report'

interface Props {
  readonly children: ReactNode
}

/** Limits a crash to one view. */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children
    return (
      <Broken
        onRetry={() => {
          this.setState({ broken: false })
        }}
      />
    )
  }
}

/** Keeps what a person needs while a view is gone: the end of the connection, and the report. */
function Broken({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  const { t } = useTranslation()
  const { connection } = useAppState()
  return (
    <Box p="lg">
      <div role="alert">
        <h1>{t('error.boundaryTitle')}</h1>
        <p>{t('error.boundaryText')}</p>
        <p>{t('error.code', { code: 'internal/unexpected' satisfies ErrorCode })}</p>
      </div>
      <Group mt="md" gap="xs">
        <Button onClick={onRetry}>{t('error.retry')}</Button>
        {isUnderWay(connection) && (
          <CommandButton command="disconnect" input={undefined}>
            {t('connection.disconnect')}
          </CommandButton>
        )}
        <SupportReport />
      </Group>
    </Box>
  )
}
