import { expect, it } from 'vitest'
import { findService } from './find-service'
import type { ServiceAddresses } from '../instance/instance'

const instance = { id: 'vpn.example.org', address: 'https://vpn.example.org/' }
const offered = (services: ServiceAddresses) => () => Promise.resolve({ services })

it('is at the address from the instance', async () => {
  const content = 'https://news.example.org'
  expect(await findService(instance, 'content', offered({ content }))).toBe(content)
})

it('is at the address that the user set, also while the instance is unreachable', async () => {
  const set = { ...instance, services: { content: 'https://mine.example.org' } }
  const unreachable = () => Promise.reject(new Error('asked'))
  expect(await findService(set, 'content', unreachable)).toBe('https://mine.example.org')
})

it.each(['attachments', 'content', 'organizations'] as const)(
  'says that there are no %s, and how to set where they are',
  async (service) => {
    await expect(findService(instance, service, offered({}))).rejects.toMatchObject({
      code: `${service}/not-offered`,
      message: expect.stringContaining(`causeway instance set --${service} URL`) as string,
    })
  },
)
