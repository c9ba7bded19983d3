import './zod-without-eval'
import '@mantine/core/styles.css'
import { createRoot } from 'react-dom/client'
import { MantineProvider, Button, NativeSelect } from '@mantine/core'
const nonce = document.querySelector('meta[name=style-nonce]')?.getAttribute('content') ?? ''
createRoot(document.querySelector('#root')!).render(<MantineProvider getStyleNonce={() => nonce}><Button>Hi</Button><NativeSelect data={['a']} /></MantineProvider>)
