import { afterAll } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from './server'
import { TestClient } from './test-client'

/** Starts a mock for the tests of a file, and ends it after them. Call it at the top of the file. */
export async function serveMock(
  options?: MockServerOptions,
): Promise<{ server: MockServer; client: TestClient }> {
  const server = await createMockServer(options)
  afterAll(() => server.close())
  return { server, client: new TestClient(server) }
}
