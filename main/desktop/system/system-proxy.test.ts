import { expect, it, vi } from 'vitest'
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

it('gives up a PAC script that never ends, and never goes past it', async () => {
  let isOver: () => void = () => undefined
  const proxyFor = systemProxy(
    {},
    () => new Promise(() => undefined),
    (ms, work) => {
      expect(ms).toBe(5000)
      isOver = work
      return () => undefined
    },
  )
  const found = proxyFor(url)
  await Promise.resolve()
  isOver()
  await expect(found).rejects.toMatchObject({
    code: 'http/proxy-timed-out',
    details: { host: 'vpn.example.org:8443' },
  })
})

it('leaves no timer behind after an answer, or a failure', async () => {
  const stop = vi.fn<() => void>()
  const answering = systemProxy(
    {},
    () => Promise.resolve('DIRECT'),
    () => stop,
  )
  expect(await answering(url)).toBeUndefined()
  const failing = systemProxy(
    {},
    () => Promise.reject(new Error('no session')),
    () => stop,
  )
  await expect(failing(url)).rejects.toThrow('no session')
  expect(stop).toHaveBeenCalledTimes(2)
})
