import { mostContacts } from './channels.ts'

/** The columns of a roster that hold addresses of a channel, by place: of several contacts each has its own. */
export const columnsOf = ({
  column,
  mayHaveSeveral,
}: {
  readonly column: string
  readonly mayHaveSeveral?: true
}): string[] =>
  mayHaveSeveral
    ? Array.from({ length: mostContacts }, (_, place) => column + (place === 0 ? '' : place + 1))
    : [column]
