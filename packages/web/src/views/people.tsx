import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { later } from '../parts/later.tsx'
import { PeopleBrowser } from '../parts/people/people-browser.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Title } from '../parts/title.tsx'
import { useStores, useWords } from '../stores.ts'

const Applications = later(async () => (await import('../parts/people/applications.tsx')).Applications)

/** people type several letters in a row */
const pauseMs = 250

export function People() {
  const { session } = useStores()
  const { peoplePage } = useWords()
  const typed = useSignal('')
  const name = useSignal('')
  useEffect(() => {
    const timer = setTimeout(() => (name.value = typed.value.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <>
      <Title>{peoplePage.title}</Title>
      <SearchField label={peoplePage.search} text={typed} />
      {session.may('admin') && <Applications />}
      <PeopleBrowser label={peoplePage.title} name={name.value} />
    </>
  )
}
