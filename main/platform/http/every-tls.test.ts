import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { removeTrustVariables } from './trust-variables'

const main = join(import.meta.dirname, '..', '..')
const sources = readdirSync(main, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.ts') && !/\.(?:test|testing)\.ts$/.test(name))
  .map(({ parentPath, name }) => join(parentPath, name))
  .map((path) => ({
    name: relative(main, path).replaceAll('\\', '/'),
    // Without comments.
    text: readFileSync(path, 'utf8').replaceAll(/\/\*\*[^]*?\*\/|\/\/.*/g, ''),
  }))

/** What can open a connection with TLS: modules, and functions that are there without an import. */
const opensTls = [
  /^import (?!type)[^']*from '(?:node:tls|node:https|undici)'/m,
  /(?<![.\w#])fetch\(|globalThis\.fetch|\bnet\.(?:fetch|request)\(/,
]

it('speaks TLS in these files alone, each of which checks certificates', () => {
  const found = sources.filter(({ text }) => opensTls.some((pattern) => pattern.test(text)))
  expect(found.map(({ name }) => name).sort()).toEqual([
    'platform/http/authorities.ts',
    'platform/http/certificate-issuer.ts',
    'platform/http/transport.ts',
    'platform/http/trust.ts',
    'tunnel/wireguard/proxyguard.ts',
  ])
})

it('names rejectUnauthorized at every connection, so that no variable decides', () => {
  const calls = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:buildConnector|connectTls|new Agent)\((\{[^]*?\})\)/g)].map(
      ([, options = '']) => ({
        name,
        isChecked: /rejectUnauthorized: true|\.\.\.checking\(|connect: \(/.test(options),
      }),
    ),
  )
  expect(calls.map(({ name }) => name).sort()).toEqual([
    'platform/http/transport.ts',
    'platform/http/transport.ts',
    'tunnel/wireguard/proxyguard.ts',
    'tunnel/wireguard/proxyguard.ts',
  ])
  expect(calls.filter(({ isChecked }) => !isChecked)).toEqual([])
  const checking = sources.find(({ name }) => name === 'tunnel/wireguard/proxyguard.ts')?.text
  expect(checking).toMatch(/function checking\([^]*?rejectUnauthorized: true/)
})

it('looks at a certificate without trusting it in one place, which sends nothing', () => {
  const unchecked = sources.filter(({ text }) => /rejectUnauthorized(?!: true)/.test(text))
  expect(unchecked.map(({ name }) => name)).toEqual(['platform/http/certificate-issuer.ts'])
})

it('removes the variable that turns all checks off', () => {
  const env: Record<string, string> = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: '/ca.pem' }
  expect(removeTrustVariables({ env, execArgv: [] })).toBeUndefined()
  expect(env).toEqual({ NODE_EXTRA_CA_CERTS: '/ca.pem' })
})

it.each([
  [['--tls-keylog=/tmp/keys'], {}],
  [['--tls_keylog', '/tmp/keys'], {}],
  [[], { NODE_OPTIONS: '--max-old-space-size=99 "--tls-keylog=/tmp/keys"' }],
])('names the option that writes the keys of connections into a file: %j %j', (execArgv, env) => {
  expect(removeTrustVariables({ env, execArgv })).toBe('--tls-keylog')
})

it.each([[['--tls-max-v1.3']], [['--title=--tls-keylog']]])('starts with %j', (execArgv) => {
  expect(removeTrustVariables({ env: {}, execArgv })).toBeUndefined()
})
