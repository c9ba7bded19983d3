import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutKeys } from '../build/before-pack.mjs'
import { targetsOf } from './dist-targets'

const folder = join(import.meta.dirname, '..', '.github', 'workflows')
const workflows = await Promise.all(
  (await readdir(folder)).map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
)

/** The steps of all jobs of a workflow, as text. */
function stepsOf(text: string): string[] {
  return text
    .split(/^ {4}steps:$/m)
    .slice(1)
    .flatMap((job) => job.split(/^ {2}\S/m).slice(0, 1))
    .flatMap((job) => job.split(/^ {6}(?=- )/m).slice(1))
}

it.each(workflows)('$name gives secrets to the steps that sign, and to no other', ({ text }) => {
  const steps = stepsOf(text)
  for (const step of steps) {
    if (!step.includes('secrets.')) continue
    expect(step).toMatch(/^- name: Package and sign$/m)
    expect(step).toContain('npm run dist -- --stage package')
    expect(step, 'later steps would get it too').not.toMatch(/GITHUB_(ENV|OUTPUT)/)
  }
  // Besides, secrets are only handed on to a workflow that this one calls.
  const elsewhere = steps.reduce((rest, step) => rest.replace(step, ''), text)
  for (const line of elsewhere.split('\n').filter((each) => each.includes('secrets.')))
    expect(line).toMatch(/^ {6}([A-Z_]+): \$\{\{ secrets\.\1 \}\}$/)
  expect(text).not.toContain('secrets: inherit')
})

it.each(workflows)('$name runs no install scripts of packages', ({ text }) => {
  for (const [command] of text.matchAll(/\bnpm (ci|i|install|add|rebuild|update)\b.*/g))
    expect(command).toMatch(/ --ignore-scripts$/)
  expect(text).not.toMatch(/\bnpx (?!(tsx|vitest|playwright) )/)
})

it('a release has the package of the mock server and its image, both with provenance', () => {
  const text = workflows.find(({ name }) => name === 'release.yml')?.text ?? ''
  const jobOf = (name: string) => new RegExp(`^  ${name}:\\n((?:    .*)?\\n)+`, 'm').exec(text)?.[0] ?? ''
  // What this job uploads is among the files whose checksums are attested.
  expect(jobOf('mock-server')).toMatch(
    /run: npm run pack:mock\n[^]*SHA256SUMS-mock-server[^]*name: packages-mock-server/,
  )
  expect(jobOf('publish')).toMatch(/^ {4}needs: \[packages, mock-server, mock-server-image\]$/m)
  expect(jobOf('publish')).toContain('subject-checksums: packages/SHA256SUMS')
  expect(jobOf('mock-server-image')).toMatch(
    /docker build --file mock-server\/Dockerfile[^]*attest-build-provenance@[^]*subject-digest: .*[^]*push-to-registry: true/,
  )
})

it('a release has all packages of a system, and no deb that lintian warns about', () => {
  const text = workflows.find(({ name }) => name === 'package.yml')?.text ?? ''
  // Without names, `npm run dist` makes all, causeway-cli among them, and fails if it can't.
  for (const [command] of text.matchAll(/npm run dist\b.*/g))
    expect(command).toMatch(/^npm run dist -- --stage (build|package)$/)
  expect(targetsOf('linux')).toEqual(['cli-deb', 'cli-rpm', 'deb', 'rpm', 'tar.gz', 'AppImage'])
  expect(text).toContain('run: lintian --fail-on error,warning dist/*.deb\n')
  for (const kind of ['deb', 'rpm', 'cdx.json']) expect(text).toContain(`            dist/*.${kind}\n`)
})

it('the programs that a package is made with get no keys for signing', () => {
  const keys = {
    CSC_LINK: 'a',
    CSC_KEY_PASSWORD: 'b',
    WIN_CSC_LINK: 'c',
    WIN_CSC_KEY_PASSWORD: 'd',
    APPLE_API_KEY: 'e',
    APPLE_API_KEY_ID: 'f',
    APPLE_API_ISSUER: 'g',
  }
  expect(withoutKeys({ ...keys, PATH: '/usr/bin' })).toEqual({ PATH: '/usr/bin' })
})
