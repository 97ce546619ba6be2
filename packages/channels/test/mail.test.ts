import { expect } from 'chai'
import { normaliseMailAddress } from '../src/mail/address.ts'

describe('e-mail addresses', () => {
  const good: readonly (readonly [string, string])[] = [
    ['Anna.Petrova@Example.ORG', 'anna.petrova@example.org'],
    ["o'brien+news@mail.example", "o'brien+news@mail.example"],
    ['a@почта.рф', 'a@xn--80a1acny.xn--p1ai'],
    ['a@xn--80a1acny.xn--p1ai', 'a@xn--80a1acny.xn--p1ai'],
    [`${'a'.repeat(64)}@b.example`, `${'a'.repeat(64)}@b.example`],
  ]
  for (const [written, stored] of good)
    it(`${written.slice(0, 40)} is one`, () => {
      expect(normaliseMailAddress(written)).to.equal(stored)
      expect(normaliseMailAddress(stored)).to.equal(stored)
    })

  const bad = [
    'a',
    'a@',
    '@b.example',
    'a@b',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a b@c.example',
    'a..b@c.example',
    '.a@c.example',
    'a@b.example\r\nBcc: x@y.example',
    'a\n@b.example',
    '<a@b.example>',
    'a@b.example>',
    'a,b@c.example',
    '"a b"@c.example',
    'анна@b.example',
    'a@b.example/x',
    'a@b.example:25',
    'a@b_c.example',
    'a@-b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.example`,
  ]
  for (const written of bad)
    it(`${JSON.stringify(written.slice(0, 40))} is none`, () => {
      expect(normaliseMailAddress(written)).to.equal(undefined)
    })
})
