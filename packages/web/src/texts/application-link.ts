/** The words of the link by which people apply for a group: loaded with it. */
import { useStores } from '../stores.ts'

const ru = {
  title: 'Ссылка для заявок',
  intro:
    'По ней любой, кого ещё нет в группе, подаст заявку. Кто уже в группе, там не видно. Решает деканат. Ссылку нельзя отозвать до её срока.',
  days: 'Сколько дней действует',
  make: 'Сделать ссылку',
  qr: 'QR-код ссылки для заявок',
  until: (moment: string) => `Действует до ${moment}.`,
}

const en: typeof ru = {
  title: 'Link to apply',
  intro:
    'By it whoever is not in the group yet applies. Who is in it is not shown there. The office decides. The link cannot be taken back before its end.',
  days: 'Good for so many days',
  make: 'Make the link',
  qr: 'QR code of the link to apply',
  until: (moment) => `Good until ${moment}.`,
}

const linkWords = { ru, en } as const

export const useApplicationLinkWords = (): typeof ru => linkWords[useStores().language.code.value]
