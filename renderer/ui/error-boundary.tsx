import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  readonly children: ReactNode
}

/** Keeps a defect in one view from emptying the window. */
export class ErrorBoundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? <Broken /> : this.props.children
  }
}

function Broken(): ReactNode {
  const { t } = useTranslation()
  return (
    <div role="alert">
      <h1>{t('error.boundaryTitle')}</h1>
      <p>{t('error.boundaryText')}</p>
      <Button
        mt="md"
        onClick={() => {
          window.location.reload()
        }}
      >
        {t('error.reload')}
      </Button>
    </div>
  )
}
