import { describe, expect, it } from 'vitest'

import { type ConfigurationItem, tokenizeConfiguration } from './configuration-tokenizer'

/** Returns directives as their words, and a block as `<name>` and its lines. */
function words(text: string): string[][] {
  return tokenizeConfiguration(text).map((item: ConfigurationItem) =>
    item.kind === 'directive' ? [item.name, ...item.arguments] : [`<${item.name}>`, ...item.content],
  )
}

describe('parsing like OpenVPN', () => {
  it.each<[string, string, string[][]]>([
    ['words', 'remote host 1194\tudp', [['remote', 'host', '1194', 'udp']]],
    ['lines with CRLF and none at the end', 'client\r\nnobind', [['client'], ['nobind']]],
    ['line ends that were converted twice', 'client\r\r\nnobind\r\r\n', [['client'], ['nobind']]],
    ['Latin-1 in a comment', '# Z\uFFFDrich\nclient # \uFFFD\n', [['client']]],
    ['Latin-1 around a certificate', '<ca>\nCN=Z\uFFFDrich\n</ca>', [['<ca>', 'CN=Z\uFFFDrich']]],
    ['a byte order mark', '\uFEFFclient\n', [['client']]],
    ['comments, also in a line', '# a\n ;b\nclient # c\nport 1#2\n', [['client'], ['port', '1#2']]],
    ['a comment in any language', '# Zürich – 東京\nclient\n', [['client']]],
    ['a name with two dashes', '--up /x', [['up', '/x']]],
    ['only two dashes as a name', '-- up', [['--', 'up']]],
    ['a quoted name', '"up" \'/x y\'', [['up', '/x y']]],
    ['quoted words without a space between', '"up""/x"', [['up', '/x']]],
    ['a quotation mark within a word', 'up a"b"', [['up', 'a"b"']]],
    ['a comment sign in quotes', 'setenv "#a" ";b"', [['setenv', '#a', ';b']]],
    ['escapes', 'a\\ b "c\\"d\\\\" \'e\\\'', [['a b', 'c"d\\', 'e\\']]],
    ['an escaped space between words', '\\ up x', [['up', 'x']]],
    ['an empty word', 'up ""', [['up', '']]],
    ['a block', '<ca>\r\n one\r\ntwo\r\n</ca>\r\nclient', [['<ca>', 'one', 'two'], ['client']]],
    ['a block whose name is quoted', '"<ca>"\n</ca>', [['<ca>']]],
    ['a block whose name has two dashes', '--<ca>\n</ca>', [['<ca>']]],
    ['an end of a block after spaces', '<ca>\n  </ca>  \nup /x', [['<ca>'], ['up', '/x']]],
    [
      'directives in a block as its content',
      '<connection>\nup /x\n</connection>',
      [['<connection>', 'up /x']],
    ],
    ['no block with an argument behind it', '<ca> x', [['<ca>', 'x']]],
    ['a block without a name', '<>\n</>', [['<>']]],
  ])('reads %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('reads 256 KiB, and no byte more', () => {
    const line = `#${'é'.repeat(111)}\n`
    const text = `client\n${line.repeat(1170)}`
    const most = `${text}#${'x'.repeat(256 * 1024 - Buffer.byteLength(text) - 1)}`
    expect(words(most)).toEqual([['client']])
    expect(() => words(`${most}x`)).toThrow(
      expect.objectContaining({ code: 'profile-configuration/malformed' }),
    )
  })

  it('counts lines from 1, including the lines of blocks', () => {
    const items = tokenizeConfiguration('client\n<ca>\na\nb\n</ca>\n\nnobind')
    expect(items.map(({ name, line }) => [name, line])).toEqual([
      ['client', 1],
      ['ca', 2],
      ['nobind', 7],
    ])
  })
})

describe('text that OpenVPN could read differently', () => {
  const long = 'x'.repeat(254)

  it.each<[string, string, number]>([
    ['a NUL', 'client\nport 1\0up /x', 2],
    ['UTF-16', 'c\0l\0i\0e\0n\0t\0', 1],
    ['bytes that are no text', 'client\nport \uFFFD', 2],
    ['bytes that are no text, in quotes', 'client\nsetenv "a \uFFFD"', 2],
    ['a byte order mark further on', 'client\n\uFEFFup /x', 2],
    ['a CR that ends no line', 'client\n# comment\rup /x', 2],
    ['a vertical tab', 'port\v1', 1],
    ['a form feed', 'client\fup', 1],
    ['an escape character', 'client\u001b[2J', 1],
    ['a C1 control character', 'client\u0085up /x', 1],
    ['a long line, whose rest OpenVPN reads as another', `#${long}\nclient`, 1],
    ['a line that is long in bytes', `#${'é'.repeat(127)}`, 1],
    ['a long line in a block, whose rest can end it', `<ca>\n${long}</ca>\nup /x`, 2],
    ['text after the end of a block', '<ca>\n  </ca>junk\nup /x\n</ca>', 2],
    ['a block without an end', 'client\n<ca>\nabc\n', 2],
    [
      'a block whose end follows a character that OpenVPN does not treat as a space',
      '<ca>\n\u00a0</ca>\n',
      1,
    ],
    ['a block that is ended by another name', '<ca>\n</cb>\n', 1],
    ['a quotation mark that is not closed', 'client\nup "/x', 2],
    ['an apostrophe that is not closed', "up '/x", 1],
    ['an escape that OpenVPN does not know', 'up C:\\x', 1],
    ['an escaped end of a line', 'client\nup \\\n/x', 2],
    ['an escaped CR', 'up /x\\\r\n', 1],
    ['more words than OpenVPN takes', `route${' x'.repeat(16)}`, 1],
    ['a text without measure', 'client\n'.repeat(40_000), 1],
  ])('is rejected: %s', (_, text, line) => {
    expect(() => tokenizeConfiguration(text)).toThrow(
      expect.objectContaining({ code: 'profile-configuration/malformed', details: { line } }) as Error,
    )
  })
})

it('accepts a line of the maximum length', () => {
  expect(words(`#${'x'.repeat(252)}\nclient`)).toEqual([['client']])
})
