-- Sketches stand in pairs now. Those of older shelves stand alone, so these shelves compare with every vector.
UPDATE `document_shelves` SET `has_sketches` = 0;
