import type { ServerOptions } from 'node:https'
import { createMockServer, type MockServer, type MockServerOptions } from './server'
import { openTls } from './tls/server-identity'
import { TlsListener } from './tls/tls-listener'

/** Returns the files of the CA of this test run (scripts/test-authority.ts). */
export function testAuthority(): { ca: string; caKey: string } {
  const { NODE_EXTRA_CA_CERTS: ca, TEST_AUTHORITY_KEY: caKey } = process.env
  if (ca === undefined || caKey === undefined) throw new Error('This test run has no CA.')
  return { ca, caKey }
}

/** Returns the options of a server of a test on this computer, with a certificate of that CA. */
export function testTls(): ServerOptions {
  return new TlsListener(openTls(testAuthority()), '127.0.0.1').options
}

/** Starts a mock server that speaks https, as services do, with a certificate that this test run trusts. */
export function startTestMock(options: MockServerOptions = {}): Promise<MockServer> {
  return createMockServer({ tls: testAuthority(), ...options })
}
