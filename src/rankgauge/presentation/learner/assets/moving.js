// Items are moved by mouse, pen or finger, and by keys. The rows follow at once, so that the value can be watched.

const KEYS = {
  ArrowUp: () => -1,
  ArrowDown: () => 1,
  Home: () => -Infinity,
  // The last rank; from there on down it leaves the list.
  End: (at) => (at < model.ranked ? model.ranked - 1 - at : Infinity),
};

/** Move an item by the keys of its handle. */
function moveByKey(event, item, moved) {
  if (!Object.hasOwn(KEYS, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const at = model.items.indexOf(item);
  if (moveItem(at, KEYS[event.key](at))) moved(item);
}

/** Follow a pointer until it is lifted: the item takes the place of each row whose middle its edge passes. */
function dragItem(event, item, row, moved) {
  if (event.button !== 0) return;
  event.preventDefault();
  row.querySelector(".handle").focus({ preventScroll: true });
  row.classList.add("lifted");
  let pointerY = event.clientY;
  const grabbedAt = pointerY - row.getBoundingClientRect().top;
  const top = () => row.getBoundingClientRect().top - offset;
  let offset = 0;
  const follow = () => {
    offset = pointerY - grabbedAt - top();
    row.style.transform = `translateY(${offset}px)`;
  };
  const onMove = (next) => {
    if (next.pointerId !== event.pointerId) return;
    pointerY = next.clientY;
    follow();
    while (stepTowards(pointerY - grabbedAt, item, row)) {
      moved(item);
      follow();
    }
  };
  const timer = setInterval(() => scrollAtEdge(pointerY) && onMove({ pointerId: event.pointerId, clientY: pointerY }), 16);
  const onEnd = (last) => {
    if (last.pointerId !== event.pointerId) return;
    clearInterval(timer);
    row.classList.remove("lifted");
    row.style.transform = "";
    for (const [name, listener] of Object.entries(listeners)) window.removeEventListener(name, listener);
    moved(item);
  };
  const listeners = { pointermove: onMove, pointerup: onEnd, pointercancel: onEnd };
  for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener);
}

/** Move an item by one row, if its edge at this height has passed the middle of the next; whether it moved. */
function stepTowards(top, item, row) {
  // Of the layout: rows that glide are elsewhere for a moment.
  const list = row.parentElement;
  const middle = (other) => list.getBoundingClientRect().top + other.offsetTop - list.offsetTop + other.offsetHeight / 2;
  const { previousElementSibling: before, nextElementSibling: after } = row;
  if (before && top < middle(before)) return moveItem(model.items.indexOf(item), -1);
  if (after && top + row.offsetHeight > middle(after)) return moveItem(model.items.indexOf(item), 1);
  return false;
}

/** Scroll where the pointer is near the edge of the window; whether it is. */
function scrollAtEdge(pointerY) {
  const edge = 48;
  const step = pointerY < edge ? -8 : pointerY > window.innerHeight - edge ? 8 : 0;
  if (step) window.scrollBy(0, step);
  return step !== 0;
}

/** Let rows glide to where they are now; `tops` says where they were. */
function glide(rows, tops) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const row of rows) {
    const from = tops.get(row) - row.offsetTop;
    if (!from || row.classList.contains("lifted")) continue;
    row.animate([{ transform: `translateY(${from}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}
