import { render } from 'preact'
import { App } from './app.tsx'
import { createStores, StoresContext } from './stores.ts'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
const stores = createStores()
try {
  await stores.language.load()
  render(
    <StoresContext.Provider value={stores}>
      <App />
    </StoresContext.Provider>,
    root,
  )
} catch {
  root.textContent = 'Страница не загрузилась. Обновите её. · The page did not load. Reload it.'
}
