/** What the site itself says, in its languages. */
export const words = {
  en: {
    label: 'English',
    title: 'courier-fleet',
    description:
      'Tell many people something important over every channel they have, and learn the truth about who got it.',
    entrances: { teacher: 'Teacher', operator: 'Operator', engineer: 'Engineer', maintainer: 'Maintainer' },
    begin: 'Begin here',
    theme: {},
    search: {},
  },
  ru: {
    label: 'Русский',
    title: 'courier-fleet',
    description:
      'Сообщить многим людям важное по всем каналам, какие у них есть, и узнать правду о том, до кого дошло.',
    entrances: {
      teacher: 'Преподавателю',
      operator: 'Оператору',
      engineer: 'Инженеру',
      maintainer: 'Тому, кто меняет код',
    },
    begin: 'С чего начать',
    theme: {
      outline: { label: 'На этой странице' },
      docFooter: { prev: 'Назад', next: 'Дальше' },
      darkModeSwitchLabel: 'Оформление',
      lightModeSwitchTitle: 'Светлое оформление',
      darkModeSwitchTitle: 'Тёмное оформление',
      sidebarMenuLabel: 'Разделы',
      returnToTopLabel: 'Наверх',
      langMenuLabel: 'Язык',
      skipToContentLabel: 'К содержанию',
      notFound: {
        title: 'Такой страницы нет',
        quote: 'Возможно, она называется теперь иначе: попробуйте поиск.',
        linkLabel: 'На первую страницу',
        linkText: 'На первую страницу',
      },
    },
    search: {
      translations: {
        button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
        modal: {
          displayDetails: 'Показать подробнее',
          resetButtonTitle: 'Очистить',
          backButtonTitle: 'Закрыть поиск',
          noResultsText: 'Ничего не найдено:',
          footer: { selectText: 'выбрать', navigateText: 'листать', closeText: 'закрыть' },
        },
      },
    },
  },
}
