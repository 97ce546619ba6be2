import { expect } from 'chai'
import { normaliseUrl } from '../src/http/address.ts'

describe('a URL to post to', () => {
  const forms: Record<string, string> = {
    'https://Example.ORG/a?b=c': 'https://example.org/a?b=c',
    'HTTP://example.org': 'http://example.org/',
    'https://пример.рф/крючок': 'https://xn--e1afmkfd.xn--p1ai/%D0%BA%D1%80%D1%8E%D1%87%D0%BE%D0%BA',
    // what it leads to is looked at where it is called: so nobody is told it is another one there
    'http://0x7f.1/': 'http://127.0.0.1/',
  }
  for (const [written, stored] of Object.entries(forms))
    it(`is stored as ${stored} when written ${written}`, () => {
      expect(normaliseUrl(written)).to.equal(stored)
      expect(normaliseUrl(stored)).to.equal(stored)
    })

  const refused = [
    'ftp://example.org/',
    'javascript:alert(1)',
    'https://user:secret@example.org/',
    'https://example.org/#part',
    'https://example.org/a b',
    'https:\\\\example.org',
    'https://',
    `https://example.org/${'a'.repeat(1000)}`,
  ]
  for (const written of refused)
    it(`is not ${written.slice(0, 40)}`, () => expect(normaliseUrl(written)).to.equal(undefined))
})
