import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'

/**
 * Replaces the browser: sends the address to the test, which opens it in a real one. Loading fetch would take longer than all
 * the rest.
 */
const script =
  'const [receiver, body] = process.argv.slice(1); require("node:http").request(receiver, { method: "POST" }).end(body)'

/** The app's browser: collects the addresses that the app opens. */
export class HandedOver {
  /** For `--browser`. */
  readonly command: string
  readonly #server: Server
  readonly #addresses: string[] = []

  private constructor(server: Server, port: number) {
    this.#server = server
    const words = [process.execPath, '-e', script, `http://127.0.0.1:${port}/`]
    this.command = words.map((word) => word.replaceAll(' ', '\\ ')).join(' ')
  }

  static async listen(): Promise<HandedOver> {
    let received: (address: string) => void = () => undefined
    const server = createServer((request, response) => {
      void text(request).then((address) => {
        received(address)
        response.end()
      })
    })
    const port = await listenOnLoopback(server)
    const handedOver = new HandedOver(server, port)
    received = (address) => handedOver.#addresses.push(address)
    return handedOver
  }

  /** Number of addresses so far. */
  get count(): number {
    return this.#addresses.length
  }

  /** Waits for an address by its number, from 1. */
  async address(number: number): Promise<string> {
    await expect.poll(() => this.count, 'the app should open the browser').toBeGreaterThanOrEqual(number)
    return this.#addresses[number - 1] ?? ''
  }

  close(): Promise<void> {
    return closeServer(this.#server)
  }
}

/** Opens the authorization page, clicks Approve, and expects the app's confirmation page. */
export async function approve(browser: Page, address: string): Promise<void> {
  await decide(browser, address, 'Approve')
  await expect(browser.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await expect(browser.getByText('You can close this tab and go back to Causeway.')).toBeVisible()
}

/**
 * Sends what the authorization page sends for Approve, without a browser, and expects the app's confirmation page: for tests of
 * what comes after a login.
 */
export async function approveWithoutBrowser(address: string): Promise<void> {
  const { url } = await fetch(address)
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) })
  expect(await answer.text()).toContain('You can close this tab and go back to Causeway.')
}

/** Opens the authorization page, clicks Deny, and expects the app's page about it. */
export async function deny(browser: Page, address: string): Promise<void> {
  await decide(browser, address, 'Deny')
  await expect(browser.getByRole('heading', { name: 'Access was denied' })).toBeVisible()
  await expect(browser.getByText('You can close this tab and go back to Causeway.')).toBeVisible()
}

async function decide(browser: Page, address: string, decision: 'Approve' | 'Deny'): Promise<void> {
  await browser.goto(address)
  await expect(browser.getByText('org.causeway.app.')).toBeVisible()
  await browser.getByRole('button', { name: decision }).click()
  await expect(browser).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
}

/** Listens on a free port and resolves with it. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}
