import { expect } from 'chai'
import { mailConfig } from '../../src/mail/config.ts'

const needed = { MAIL_SMTP_URL: 'smtp://fleet:p%40ss@mx.example', MAIL_FROM: 'University <Post@uni.example>' }

describe('mail settings', () => {
  it('are read, and what is not said has a usual value', () => {
    expect(mailConfig(needed)).to.deep.include({
      server: {
        host: 'mx.example',
        port: 587,
        secure: false,
        requireTls: true,
        login: { user: 'fleet', password: 'p@ss' },
      },
      account: 'fleet-mx-example-587',
      target: 'real',
      from: { name: 'University', address: 'post@uni.example' },
      subjectPrefix: '',
      connections: 10,
      perSecond: 10,
    })
    const { server, perSecond } = mailConfig({ ...needed, MAIL_SMTP_URL: 'smtps://mx.example', MAIL_PER_SECOND: 'off' })
    expect(server).to.deep.equal({ host: 'mx.example', port: 465, secure: true, requireTls: false })
    expect(perSecond).to.equal(undefined)
    const bounces = { MAIL_BOUNCE_ADDRESS: 'b@uni.example', MAIL_BOUNCE_PORT: '2525' }
    expect(mailConfig({ ...needed, ...bounces }).bounces).to.include({ host: '127.0.0.1', port: 2525 })
    expect(mailConfig({ ...needed, ...bounces, MAIL_BOUNCE_HOST: '0.0.0.0' }).bounces).to.include({ host: '0.0.0.0' })
  })

  const wrong: readonly (readonly [Record<string, string>, string])[] = [
    [{ MAIL_SMTP_URL: '' }, 'MAIL_SMTP_URL is missing: it must be a URL such as smtp://user:password@mail.example:587'],
    [{ MAIL_SMTP_URL: 'http://mx.example' }, 'MAIL_SMTP_URL must be a URL such as smtp://'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must be an address, or Name <address>'],
    [{ MAIL_FROM: 'A\r\nBcc: b@c.example <a@b.example>' }, 'MAIL_FROM must be an address, or Name <address>'],
    [{ MAIL_SUBJECT: 'two\nlines' }, 'MAIL_SUBJECT must be one line of at most 40 characters'],
    [{ PUBLIC_URL: 'http://a.example/' }, 'PUBLIC_URL must be an https:// URL'],
    [{ PUBLIC_URL: `https://a.example/${'u'.repeat(400)}` }, 'PUBLIC_URL must be an https:// URL of at most 400'],
    [{ MAIL_BOUNCE_PORT: '2525' }, 'set both MAIL_BOUNCE_ADDRESS and MAIL_BOUNCE_PORT, or neither'],
    [{ MAIL_SMTP_URL: 'smtp://fleet@mx.example' }, 'MAIL_SMTP_URL must name both a user and a password'],
    [{ MAIL_SMTP_URL: 'smtp://fleet:100%@mx.example' }, 'MAIL_SMTP_URL must name both a user and a password'],
    [
      { MAIL_SMTP_URL: 'smtp://mx.example', MAIL_BOUNCE_ADDRESS: 'b@uni.example', MAIL_BOUNCE_PORT: '2525' },
      'MAIL_SMTP_URL must name a user and a password when bounces are taken',
    ],
    [
      { MAIL_BOUNCE_ADDRESS: 'b@uni.example', MAIL_BOUNCE_PORT: '2525', MAIL_BOUNCE_HOST: 'http://all' },
      'MAIL_BOUNCE_HOST must be an address to listen on',
    ],
    [{ MAIL_CONNECTIONS: '0' }, 'MAIL_CONNECTIONS must be a whole number from 1 to 65535'],
  ]
  for (const [settings, message] of wrong)
    it(`say: ${message}`, () => {
      expect(() => mailConfig({ ...needed, ...settings })).to.throw(message)
    })

  it('never say a password', () => {
    expect(() => mailConfig({ ...needed, MAIL_SMTP_URL: 'http://u:s3cr3t@mx.example' }))
      .to.throw()
      .and.not.match(/s3cr3t/)
  })
})
