import { expect, it } from 'vitest'

import { hasElevatedLevel, isAllowedByService, isElevated, ownGroups } from './windows-rights'

/** The output of `whoami /groups /fo csv /nh` on a German Windows. */
const groups = (level: string) =>
  [
    '"Jeder","Bekannte Gruppe","S-1-1-0","Verbindliche Gruppe, Standardmäßig aktiviert, Aktivierte Gruppe"',
    '"VORDEFINIERT\\Administratoren","Alias","S-1-5-32-544","Gruppe, die nur zum Verweigern verwendet wird"',
    `"Verbindliche Beschriftung\\Verbindlichkeitsstufe","Bezeichnung","${level}",""`,
  ].join('\r\n')

it.each([
  ['an administrator who did not ask to be one', 'S-1-16-8192', false],
  ['a process started as an administrator', 'S-1-16-12288', true],
  ['the system', 'S-1-16-16384', true],
])('detects the rights of %s by the integrity level', (_, level, expected) => {
  expect(hasElevatedLevel(groups(level))).toBe(expected)
})

it('ignores a group that is named like a level', () => {
  expect(hasElevatedLevel('"S-1-16-12288","S-1-16-12288","S-1-5-21-1",""')).toBe(false)
})

it('detects no rights if whoami fails', async () => {
  expect(await ownGroups('/nonexistent')).toBe('')
  expect(await isElevated(() => ownGroups('/nonexistent'))).toBe(false)
})

it.each([
  ['an administrator, whose rights need not be in use', groups('S-1-16-8192'), true],
  [
    'a member of its own group',
    '"PC\\OpenVPN Administrators","Alias","S-1-5-21-1-2-3-1001","Aktivierte Gruppe"',
    true,
  ],
  ['anybody else', '"PC\\Users of OpenVPN Administrators","Alias","S-1-5-32-545",""', false],
])("detects that OpenVPN's service starts connections for %s", (_, text, expected) => {
  expect(isAllowedByService(text)).toBe(expected)
})
