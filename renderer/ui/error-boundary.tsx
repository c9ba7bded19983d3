import { Box, Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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

function Broken({ onRetry }: { readonly onRetry: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <Box role="alert" p="lg">
      <h1>{t('error.boundaryTitle')}</h1>
      <p>{t('error.boundaryText')}</p>
      <Button mt="md" onClick={onRetry}>
        {t('error.retry')}
      </Button>
    </Box>
  )
}
