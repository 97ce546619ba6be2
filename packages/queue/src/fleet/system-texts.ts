/** What the fleet itself writes to people: sign-in codes, and what was done in their name. */
import { findChannel } from '@courier-fleet/channels'

export interface SystemTexts {
  readonly code: (code: string) => string
  readonly signedIn: string
  /** an application was accepted */
  readonly accepted: string
  /** a contact of this channel is the person's now, and it may be somebody else who did it */
  readonly linked: (channel: string) => string
  /** a contact of this channel is somebody else's now */
  readonly taken: (channel: string) => string
  /** no more answers come for now, and what is ordered is done; one SMS holds it. @param until on the person's own clock */
  readonly spentAnswers: (answers: number, minutes: number, until: string) => string
}

const english: SystemTexts = {
  code: (code) => `Your sign-in code: ${code}. It is good for 10 minutes; tell it to nobody.`,
  signedIn: 'Somebody has signed in to the web app as you. If it was not you, tell the office.',
  accepted: 'Your application was accepted: messages of the university come here. To end them: STOP.',
  linked: (channel) => `A contact on ${channel} was linked to you. If it was not you, tell the office.`,
  taken: (channel) =>
    `Your contact on ${channel} was linked to somebody else. If you do not know why, tell the office.`,
  spentAnswers: (answers, minutes, until) =>
    `${answers} answers in ${minutes} minutes. What you order is still done, but we answer only after ${until}.`,
}

const russian: SystemTexts = {
  code: (code) => `Код для входа: ${code}. Действует 10 минут, никому его не сообщайте.`,
  signedIn: 'Под вашим именем вошли в веб-приложение. Если это были не вы, сообщите в деканат.',
  accepted: 'Ваша заявка принята: сообщения университета будут приходить сюда. Прекратить: СТОП.',
  linked: (channel) => `К вам привязан контакт: ${channel}. Если это сделали не вы, сообщите в деканат.`,
  taken: (channel) =>
    `Ваш контакт (${channel}) теперь привязан к другому человеку. Если вы не знаете почему, сообщите в деканат.`,
  spentAnswers: (answers, minutes, until) =>
    `За ${minutes} минут ${answers} ответов. Команды исполняем, но ответим после ${until}`,
}

/** @param language BCP 47; English where we have no better. Channels are named in that language. */
export function systemTextsFor(language: string): SystemTexts {
  const code = language.split('-', 1)[0] === 'ru' ? 'ru' : 'en'
  const texts = code === 'ru' ? russian : english
  const nameOf = (channel: string) => findChannel(channel)?.words[code].name ?? channel
  return {
    ...texts,
    linked: (channel) => texts.linked(nameOf(channel)),
    taken: (channel) => texts.taken(nameOf(channel)),
  }
}
