import { expect, it } from 'vitest'
import { chosenLicense, type BundledSoftware } from './bundled-software'
import { componentList, debianCopyright, notices } from './package-files'

const software: BundledSoftware[] = [
  {
    name: '@example/thing',
    version: '1.2.3',
    files: 'node_modules/@example/thing/*',
    license: 'MIT',
    text: 'The MIT License\n\nCopyright (c) 2020 Somebody\n\nPermission is granted',
    purl: 'pkg:npm/%40example/thing@1.2.3',
  },
]

it('names each part with its licence in the notices', () => {
  expect(notices(software)).toContain('@example/thing 1.2.3 (MIT)')
  expect(notices(software)).toContain('Copyright (c) 2020 Somebody')
})

it('names the holders of rights in the format of Debian', () => {
  const text = debianCopyright(software, 'MIT License\n\nCopyright (c) 2026 Us\n\nPermission')
  expect(text).toContain(
    'Files: node_modules/@example/thing/*\nCopyright: (c) 2020 Somebody\nLicense: Expat\n',
  )
  expect(text).toContain('License: Expat\n MIT License\n .\n Copyright (c) 2026 Us\n')
})

it('lists the components the same each time', () => {
  const list = () => componentList(software, '0.1.0', new Date(0))
  expect(list()).toEqual(list())
  expect(list()).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { timestamp: '1970-01-01T00:00:00.000Z' },
    components: [{ purl: 'pkg:npm/%40example/thing@1.2.3', licenses: [{ license: { id: 'MIT' } }] }],
  })
})

it('takes an allowed licence where there is a choice, and refuses others', () => {
  expect(chosenLicense('(BSD-3-Clause OR GPL-2.0)')).toBe('BSD-3-Clause')
  expect(chosenLicense('GPL-3.0')).toBeUndefined()
  expect(chosenLicense('(MIT AND Zlib)')).toBeUndefined()
})
