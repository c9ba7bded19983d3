import { describe, expect, it } from 'vitest'
import { openableLink, opensAs } from './attachments-opening'

describe('a downloaded file', () => {
  it.each(['notes.pdf', 'a.PNG', 'talk.mp4', 'paper.odt', 'data.csv'])('%s is opened', (name) => {
    expect(opensAs({ path: `/home/ann/${name}` })).toBe('file')
  })

  it.each([
    ...[
      'setup.exe',
      'run.sh',
      'a.bat',
      'a.cmd',
      'a.ps1',
      'a.js',
      'a.vbs',
      'a.jar',
      'a.app',
      'a.dmg',
      'a.msi',
    ],
    ...['a.desktop', 'a.lnk', 'a.url', 'a.scr', 'a.com', 'a.html', 'a.svg', 'a.docm', 'a.xlsm', 'a.doc'],
    ...['a.zip', 'a.deb', 'a.AppImage', 'a.pdf.exe', 'pdf', '.pdf', 'a.', 'a.pdf '],
  ])('%s is only shown in its folder', (name) => {
    expect(opensAs({ path: `/home/ann/${name}` })).toBe('folder')
  })
})

it('shows a file without a mark of the web only in its folder', () => {
  expect(opensAs({ path: '/mnt/stick/notes.pdf', isUnmarked: true })).toBe('folder')
  expect(opensAs({ path: '/mnt/stick/notes.pdf', isUnmarked: false })).toBe('file')
})

describe('a link', () => {
  it.each(['https://example.org/a', 'http://example.org:8080/?b#c'])('%s is opened', (address) => {
    expect(openableLink(address).href).toBe(address)
  })

  it.each([
    ...['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'ms-msdt:/id', 'ssh://example.org'],
    ...['https:example.org', '//example.org', 'example.org', '', ' https://example.org', 'https://'],
    ...['https://user:secret@example.org/', 'https://user@example.org/'],
  ])('%j is not opened', (address) => {
    expect(() => openableLink(address)).toThrow(expect.objectContaining({ code: 'attachments/unsafe-link' }))
  })
})
