import { expect } from 'chai'
import { failureIn } from '../../src/mail/bounce.ts'
import { outcomeOf } from '../../src/mail/outcome.ts'

const answered = (command: string, text: string) =>
  outcomeOf({ kind: 'refused', command, code: Number(text.slice(0, 3)), text }, 'id')

describe('what a mail server answers', () => {
  const classes: readonly (readonly [string, string, string])[] = [
    ['RCPT TO', '550 5.1.1 no such user', 'invalid'],
    ['RCPT TO', '550 no such user here', 'invalid'],
    ['RCPT TO', '553 mailbox name not allowed', 'invalid'],
    ['RCPT TO', '550 5.2.1 mailbox disabled', 'deactivated'],
    ['RCPT TO', '550 5.7.1 client host blocked by a list', 'refused'],
    ['RCPT TO', '552 5.2.2 mailbox full', 'refused'],
    ['DATA', '554 5.7.1 this looks like spam', 'refused'],
    ['DATA', '550 refused by content', 'refused'],
  ]
  for (const [command, text, expected] of classes)
    it(`${text} to ${command}: ${expected}`, () => {
      expect(answered(command, text)).to.deep.equal({ kind: 'rejected', class: expected, detail: text })
    })

  const waits: readonly (readonly [string, string, string])[] = [
    ['RCPT TO', '451 4.7.1 greylisted', 'recipient'],
    ['RCPT TO', '452 4.2.2 mailbox full', 'recipient'],
    ['DATA', '451 4.3.0 not now', 'recipient'],
    ['RCPT TO', '421 4.7.0 too many connections', 'account'],
    ['MAIL FROM', '450 4.7.0 slow down', 'account'],
    ['MAIL FROM', '550 5.7.1 this sender is not yours', 'account'],
    ['CONN', '554 5.7.1 no SMTP service here', 'account'],
    ['AUTH PLAIN', '535 5.7.8 bad credentials', 'account'],
    ['MAIL FROM', '530 5.7.0 authentication required', 'account'],
  ]
  for (const [command, text, scope] of waits)
    it(`${text} to ${command}: later, ${scope}`, () => {
      expect(answered(command, text)).to.deep.include({ kind: 'throttled', scope })
    })
})

describe('a bounce', () => {
  const report = (...fields: string[]) => ['Content-Type: message/delivery-status', '', ...fields].join('\r\n')

  it('says why, over several lines', () => {
    const fields = ['Action: Failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550', '  no such user']
    expect(failureIn(report(...fields))).to.equal('5.1.1: 550 no such user')
    expect(failureIn(report('Action: failed'))).to.equal('returned without a reason')
  })

  it('is none when delivery is only late, or when somebody is away', () => {
    expect(failureIn(report('Action: delayed', 'Status: 4.4.1'))).to.equal(undefined)
    expect(failureIn('Subject: I am away\r\n\r\nUntil Monday')).to.equal(undefined)
  })
})
