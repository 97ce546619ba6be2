import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { PeopleBrowser } from '../parts/people/people-browser.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Title } from '../parts/title.tsx'
import { useWords } from '../stores.ts'

/** people type several letters in a row */
const pauseMs = 250

export function People() {
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
      <PeopleBrowser label={peoplePage.title} name={name.value} />
    </>
  )
}
