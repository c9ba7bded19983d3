import { expect, it } from 'vitest'
import { systemProxy } from './system-proxy'

const url = new URL('https://vpn.example.org:8443/api/info?a=b')

function system(answer: string, env: Record<string, string> = {}) {
  const asked: string[] = []
  const proxyFor = systemProxy(env, (address) => {
    asked.push(address)
    return Promise.resolve(answer)
  })
  return { asked, proxyFor }
}

it("asks the system's settings for the origin alone", async () => {
  const { asked, proxyFor } = system('PROXY proxy.example.net:3128')
  expect(await proxyFor(url)).toMatchObject({ host: 'proxy.example.net', port: 3128 })
  expect(asked).toEqual(['https://vpn.example.org:8443/'])
})

it('prefers the variables', async () => {
  const { asked, proxyFor } = system('DIRECT', { HTTPS_PROXY: 'http://user:pw@proxy.example.net' })
  expect(await proxyFor(url)).toMatchObject({ host: 'proxy.example.net', credentials: { user: 'user' } })
  expect(asked).toEqual([])
})

it('asks nothing for this computer', async () => {
  const { asked, proxyFor } = system('PROXY proxy.example.net:3128')
  expect(await proxyFor(new URL('http://127.0.0.1:5006/'))).toBeUndefined()
  expect(asked).toEqual([])
})
