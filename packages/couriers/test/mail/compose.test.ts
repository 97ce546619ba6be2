import { contentOn } from '@courier-fleet/channels'
import { oneClickPath } from '@courier-fleet/store'
import { expect } from 'chai'
import { compose } from '../../src/mail/compose.ts'
import { mailConfig } from '../../src/mail/config.ts'
import { readSignedId } from '../../src/mail/signed-id.ts'

const env = {
  MAIL_SMTP_URL: 'smtp://fleet:pass@mx.example',
  MAIL_FROM: 'Университет <post@uni.example>',
  MAIL_SUBJECT: '[Учёба]',
  PUBLIC_URL: `https://uni.example/${'u'.repeat(300)}/`,
  MAIL_BOUNCE_ADDRESS: 'bounce@uni.example',
  MAIL_BOUNCE_PORT: '2525',
}
const config = mailConfig(env)
const item = {
  class: 'normal' as const,
  address: 'a@b.example',
  text: 'Занятие перенесено\nв аудиторию 5',
  key: 1234567890n,
}
const subjectOf = (text: string) => contentOn('mail', { text }).subject
const headOf = (content: Buffer) => content.toString('latin1').split('\r\n\r\n')[0] as string

describe('a message as mail', () => {
  it('has the same id on every resend, and a way back that names it', async () => {
    const [once, again] = [await compose(item, config), await compose(item, config)]
    expect(once.id).to.equal(item.key.toString(36))
    expect(once.envelope).to.deep.equal(again.envelope)
    expect(headOf(once.content)).to.include(`Message-ID: <${once.id}@uni.example>`)
    const [, signed = ''] = /^bounce\+(.*)@uni\.example$/.exec(once.envelope.from) ?? []
    expect(readSignedId(config.secret, signed)).to.equal(once.id)
    expect(readSignedId(config.secret, signed.replace(/.$/, '')), 'cut').to.equal(undefined)
    expect(readSignedId(config.secret, signed.replace(once.id, 'another')), 'another').to.equal(undefined)
    expect(once.envelope.from.split('@')[0]?.length).to.be.at.most(64)
  })

  it('ends with the link that confirms it, where it asks for that and people can reach the queue', async () => {
    const confirm = { label: 'Прочитано', token: '05.9f86d081884c7d65.2s.AbCdEfGhIjk' }
    const textOf = ({ content }: { content: Buffer }) => content.toString('latin1').split('\r\n\r\n').slice(1).join('')
    const link = `/c/${confirm.token}`
    const body = (raw: string) => (raw.includes(' ') ? raw : Buffer.from(raw, 'base64').toString())
    const asked = await compose({ ...item, confirm }, mailConfig({ ...env, PUBLIC_URL: 'https://uni.example/' }))
    expect(body(textOf(asked)).replace(/=\r?\n/g, '')).to.include(`https://uni.example${link}`)
    const { PUBLIC_URL: _none, ...without } = env
    expect(body(textOf(await compose({ ...item, confirm }, mailConfig(without))))).not.to.include(link)
  })

  it('is plain text in UTF-8, from and to whom it should be', async () => {
    const head = headOf((await compose(item, config)).content)
    expect(head).to.match(/^Content-Type: text\/plain; charset=utf-8$/m)
    expect(head).to.match(/^To: a@b\.example$/m)
    expect(head).to.match(/^From: =\?UTF-8\?[BQ]\?[^?]+\?= <post@uni\.example>$/m)
  })

  it('offers to unsubscribe with one click (RFC 8058), unfolded, and only where there is such an address', async () => {
    const longest = 'x'.repeat(64)
    const offer = { person: longest, type: longest, history: `00.${longest}.abcdefgh_-123456`, address: item.address }
    const oneClick = oneClickPath('secret', offer as never)
    const { content } = await compose({ ...item, oneClick }, config)
    const [line = '', url = ''] = /^List-Unsubscribe: <(\S+)>$/m.exec(headOf(content)) ?? []
    expect(url).to.equal(`https://uni.example/${'u'.repeat(300)}/u/${oneClick}`)
    expect(line.length).to.be.below(900)
    expect(headOf(content)).to.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    const { PUBLIC_URL: _none, ...without } = env
    for (const [each, settings] of [
      [{ ...item, oneClick }, mailConfig(without)],
      [item, config],
    ] as const)
      expect(headOf((await compose(each, settings)).content)).not.to.include('List-Unsubscribe')
  })

  it('has a subject: the first line of the text, cut at a word, that cannot become another header', async () => {
    expect(subjectOf('\n  Занятие перенесено  \nв аудиторию 5')).to.equal('Занятие перенесено')
    expect(subjectOf(`${'слово '.repeat(20)}`)).to.equal(`${'слово '.repeat(11).trim()}…`)
    expect(subjectOf('а\u0000б\tв')).to.equal('а б в')
    for (const text of ['Hello\r\nBcc: all@b.example', 'Hello\rBcc: all@b.example', 'Hello\u2028Bcc: x'])
      expect(headOf((await compose({ ...item, ...contentOn('mail', { text }) }, config)).content)).not.to.match(
        /^Bcc:/m,
      )
  })
})
